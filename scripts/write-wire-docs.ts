/**
 * `npm run wire:docs`: plays the matrix of scripted models over four protocols, and every fault, and writes the tables of
 * `docs/wire.md` from what happened. Nothing is written when a session neither came to the right answer nor ended clearly.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { openScriptedServer } from "../test/fixtures/scripted-server.ts";
import { openScripted } from "../test/fixtures/scripted-sessions.ts";
import { behaviours } from "../test/wire/behaviours.ts";
import { createFaults, meetFaults, ours } from "../test/wire/meet-faults.ts";
import { startModelServer } from "../test/wire/model-server.ts";
import { playMatrix, startWireProduct, toEnding } from "../test/wire/play-session.ts";
import { toFaultTable, toMatrixTable } from "../test/wire/tables.ts";
import { bodyMark, writeWireHome } from "../test/wire/wire-home.ts";

const page = fileURLToPath(new URL("../docs/wire.md", import.meta.url));

async function playAll() {
  const models = await startModelServer(behaviours, bodyMark);
  const product = await startWireProduct(models);
  try {
    return await playMatrix(product, models);
  } finally {
    await product.remove();
    await models.close();
  }
}

async function failAll() {
  const faults = createFaults();
  const models = await startModelServer(behaviours, bodyMark, faults.of);
  const scripted = await openScripted(ours);
  const server = await openScriptedServer(scripted);
  writeWireHome(scripted.home, models, ["strong"]);
  try {
    return (await meetFaults(server, models, faults)).met;
  } finally {
    await server.close();
    await scripted.close();
    await models.close();
  }
}

const played = await playAll();
const unclear = played.filter((one) => /^neither/.test(toEnding(one)));
if (unclear.length > 0) {
  for (const one of unclear) process.stderr.write(`${one.protocol}, ${one.behaviour}: ${toEnding(one)}\n`);
  process.exit(1);
}
const tables = { matrix: toMatrixTable(played), faults: toFaultTable(await failAll()) };
let text = readFileSync(page, "utf8");
for (const [name, table] of Object.entries(tables)) {
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [head = "", rest = ""] = text.split(open);
  text = `${head}${open}\n${table}\n${close}${rest.split(close)[1] ?? ""}`;
}
writeFileSync(page, text);
process.stdout.write(`${played.length} sessions and their faults: ${page}\n`);
