/** Shows an address in the user's browser, if there is one; not being able to is no fault. */
import { spawn } from "node:child_process";

export function mayOpenBrowser(
  environment: NodeJS.ProcessEnv = process.env,
  platform: string = process.platform,
): boolean {
  if (environment.THOTH_NO_OPEN === "1" || environment.CI) return false;
  return platform !== "linux" || Boolean(environment.DISPLAY || environment.WAYLAND_DISPLAY);
}

export function openBrowser(address: string, platform: string = process.platform): void {
  const [file, args] = toCommand(address, platform);
  const child = spawn(file, args, { stdio: "ignore", detached: true });
  // The address was printed as well.
  child.once("error", () => undefined);
  child.unref();
}

function toCommand(address: string, platform: string): [string, string[]] {
  if (platform === "darwin") return ["open", [address]];
  // The first quoted argument of `start` would be taken as a window title.
  if (platform === "win32") return ["cmd", ["/c", "start", "", address.replaceAll("&", "^&")]];
  return ["xdg-open", [address]];
}
