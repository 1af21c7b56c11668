/** The tables of `docs/wire.md`, from what happened. */
import { behaviourNames } from "./behaviours.ts";
import type { Met } from "./meet-faults.ts";
import { protocolNames } from "./model-server.ts";
import { type Played, toEnding } from "./play-session.ts";
import { faultNames } from "./protocols/protocol.ts";

export function toMatrixTable(played: readonly Played[]): string {
  return toTable("model", behaviourNames, (behaviour, protocol) => {
    const found = played.find((one) => one.protocol === protocol && one.behaviour === behaviour);
    return found ? toEnding(found) : "not played";
  });
}

export function toFaultTable(met: readonly Met[]): string {
  return toTable("what the provider does", faultNames, (fault, protocol) => {
    const found = met.find((one) => one.protocol === protocol && one.fault === fault);
    if (!found) return "–";
    const retried = found.requests > 1 && fault !== "context length" ? " after a retry" : "";
    return `${found.failure?.code ?? "no failure"}${retried}`;
  });
}

function toTable<R extends string>(
  corner: string,
  rows: readonly R[],
  toCell: (row: R, protocol: (typeof protocolNames)[number]) => string,
): string {
  return [
    `| ${corner} | ${protocolNames.join(" | ")} |`,
    `| --- |${" --- |".repeat(protocolNames.length)}`,
    ...rows.map((row) => `| ${row} | ${protocolNames.map((protocol) => toCell(row, protocol)).join(" | ")} |`),
  ].join("\n");
}
