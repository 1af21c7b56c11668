/** `thoth open`: a fresh one-time address of the running server. */
import { ThothError } from "../protocol/index.ts";
import { homePath } from "../server/home.ts";
import { mayOpenBrowser, openBrowser } from "../server/open-browser.ts";
import { Code } from "../server/routes/system-routes.ts";
import { exitCodes } from "./fault.ts";
import { connect } from "./with-server.ts";

export async function open(options: { open: boolean }): Promise<number> {
  const home = homePath();
  const client = await connect(home);
  if (!client)
    throw new ThothError(
      "no-server",
      `No ThothII server runs on ${home}.`,
      "Start one with `npm start`, or set THOTH_HOME to the folder of the one you mean.",
    );
  const { address } = await client.send("POST", "/api/codes", {}, Code);
  process.stdout.write(`${address}\n`);
  if (options.open && mayOpenBrowser()) openBrowser(address);
  return exitCodes.done;
}
