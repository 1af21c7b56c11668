/** Stop: what the model does now ends, an open gate closes, and nothing of it is a failure. */
import { RpcError } from "../../runtime/rpc-client.ts";
import { type LiveSession, toGateClosed } from "./live-session.ts";

const abortTimeoutMs = 5000;

export async function stopTurn(session: LiveSession): Promise<void> {
  // A start holds the session's queue: it is ended from outside.
  session.starting?.abort();
  await session.exclusive(() => stopNow(session));
}

async function stopNow(session: LiveSession): Promise<void> {
  const opened = session.state.openGate;
  const { runtime, turn } = session;
  if (!opened && turn.state !== "running") return;
  session.take({ type: "stop" });
  if (opened) {
    // Closed before the child is told, so that no answer can still come to it.
    await session.commit(
      (state) => ({
        entries: state.openGate
          ? [{ type: "gate-closed", gateId: state.openGate.gateId, phase: state.openGate.phase, reason: "stopped" }]
          : [],
        value: null,
      }),
      () => [toGateClosed(opened, "stopped")],
    );
  }
  if (!runtime || (session.turn.state === "waiting" && !runtime.dialogs.has(opened?.gateId ?? ""))) {
    session.rest();
    return;
  }
  session.take({ type: "gate-closed", goesOn: true });
  try {
    // Words that wait in the queue would otherwise start the next run.
    await runtime.child.rpc.send({ type: "clear_queue" }, abortTimeoutMs);
    await runtime.child.rpc.send({ type: "abort" }, abortTimeoutMs);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    session.log("warn", { detail: error.detail }, "The model's process did not stop when asked, and was ended.");
    await runtime.child.kill();
  }
  // Pi settles before it answers; a child that rested has nothing to settle.
  if (session.turn.state === "running") session.rest();
}
