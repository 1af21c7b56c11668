/** One tiny request to a model through a real child: how fast it answers, or why it doesn't, in our own words. */
import { randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type FailureCode, type ModelTest, offlineProvider, toUsage, type Usage } from "../../protocol/index.ts";
import { startChild } from "../../runtime/child.ts";
import { toChildCommand, toChildDirs } from "../../runtime/child-command.ts";
import { classifyFailure, classifyMessage, toFailure } from "../../runtime/classify-failure.ts";
import { type PiRecord, RpcError } from "../../runtime/rpc-client.ts";
import { type ChildProgram, prepareChildDirs } from "../sessions/launch-child.ts";
import { toProbeEnvironment } from "./probe-models.ts";

const startTimeoutMs = 60_000;
/** A local server may have to load the model first. */
const answerTimeoutMs = 60_000;

export async function testModel(
  program: ChildProgram,
  provider: string,
  model: string,
  keys: Record<string, string>,
): Promise<ModelTest> {
  const root = join(program.home, "probe", randomUUID());
  await mkdir(root, { recursive: true, mode: 0o700 });
  try {
    const dirs = toChildDirs(root);
    // The first answer is what counts: a limit or a fault is to be seen, not waited out.
    await prepareChildDirs({ ...program, retry: { maxRetries: 0, baseDelayMs: 0 } }, dirs, provider);
    const ours = provider === offlineProvider;
    const answer = watchAnswer();
    const child = startChild(
      toChildCommand({
        nodePath: program.nodePath,
        piCli: program.piCli,
        // Without our tools the request is a few words long.
        extensionFile: ours ? program.extensionFile : null,
        systemPromptFile: "Answer with the one word: ok",
        dirs,
        sessionId: "test",
        model: { provider, id: model, thinking: "off" },
        path: program.environment.PATH ?? "",
        compileCacheDir: join(program.home, "cache", "pi"),
        keys,
        thoth: ours ? toProbeEnvironment(root) : null,
      }),
      { onRecord: answer.take },
    );
    void child.exited.then(() => answer.end("child-exited"));
    try {
      await child.rpc.send({ type: "get_state" }, startTimeoutMs);
      answer.begin();
      await child.rpc.send({ type: "prompt", message: "Say ok." }, startTimeoutMs);
      return await answer.result(answerTimeoutMs);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      return answer.failed(error.fault === "refused" ? classifyFailure(error.detail) : "child-start");
    } finally {
      await child.kill();
    }
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

function watchAnswer() {
  const settled = Promise.withResolvers<FailureCode | null>();
  let begun = performance.now();
  let first: number | null = null;
  let usage: Usage | null = null;
  let failure: FailureCode | null = null;
  const since = () => Math.round(performance.now() - begun);
  const failed = (code: FailureCode): ModelTest => ({
    ok: false,
    firstTokenMs: first,
    totalMs: since(),
    usage,
    failure: toFailure(code),
  });
  return {
    failed,
    begin: () => {
      begun = performance.now();
    },
    end: (code: FailureCode) => settled.resolve(code),
    take: (record: PiRecord) => {
      if (record.type === "message_update") {
        const { type } = (record.assistantMessageEvent ?? {}) as { type?: unknown };
        if (typeof type === "string" && type.endsWith("_delta")) first ??= since();
      }
      const message = (record.message ?? {}) as Record<string, unknown>;
      if (record.type === "message_end" && message.role === "assistant") {
        usage = toUsage(message.usage) ?? usage;
        failure = message.stopReason === "error" ? classifyMessage(message) : null;
      }
      if (record.type === "agent_settled") settled.resolve(failure);
    },
    async result(timeoutMs: number): Promise<ModelTest> {
      const timer = setTimeout(() => settled.resolve("stalled"), timeoutMs);
      const code = await settled.promise.finally(() => clearTimeout(timer));
      return code === null ? { ok: true, firstTokenMs: first, totalMs: since(), usage, failure: null } : failed(code);
    },
  };
}
