/** A throwaway child that belongs to no session, asked which providers and models there are. */
import { randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Static, Type } from "typebox";
import {
  check,
  childNotes,
  type ModelItem,
  offlineProvider,
  type ThinkingLevel,
  ThothError,
  thinkingLevels,
} from "../../protocol/index.ts";
import { startChild } from "../../runtime/child.ts";
import { toChildCommand, toChildDirs } from "../../runtime/child-command.ts";
import type { PiRecord } from "../../runtime/rpc-client.ts";
import { type ChildProgram, prepareChildDirs } from "../sessions/launch-child.ts";
import { isLoopback } from "./addresses.ts";
import type { ProviderKeys } from "./provider-keys.ts";

/** Of Pi's description of a model only what is shown. */
const PiModel = Type.Object({
  provider: Type.String(),
  id: Type.String(),
  name: Type.Optional(Type.String()),
  reasoning: Type.Optional(Type.Boolean()),
  contextWindow: Type.Optional(Type.Number()),
  baseUrl: Type.Optional(Type.String()),
  cost: Type.Optional(Type.Object({ input: Type.Number(), output: Type.Number() })),
  thinkingLevelMap: Type.Optional(Type.Record(Type.String(), Type.Union([Type.String(), Type.Null()]))),
});
const ProvidersNote = Type.Object({
  providers: Type.Array(Type.Object({ provider: Type.String(), name: Type.String(), models: Type.Integer() })),
});
export type KnownProvider = Static<typeof ProvidersNote>["providers"][number];

export interface Probed {
  models: ModelItem[];
  providers: KnownProvider[];
}

/** A first start on a busy machine, with nothing compiled yet, takes its time. */
const timeoutMs = 60_000;
const probeFile = fileURLToPath(new URL("../../extension/list-providers.ts", import.meta.url));

/** Throws ThothError `models-unknown`, with the child's own words as the cause. */
export async function probeModels(program: ChildProgram, keys: ProviderKeys): Promise<Probed> {
  const root = join(program.home, "probe", randomUUID());
  await mkdir(root, { recursive: true, mode: 0o700 });
  try {
    const dirs = toChildDirs(root);
    await prepareChildDirs(program, dirs, null);
    let providers: KnownProvider[] = [];
    const child = startChild(
      toChildCommand({
        nodePath: program.nodePath,
        piCli: program.piCli,
        extensionFile: program.extensionFile,
        probeFile,
        systemPromptFile: null,
        dirs,
        sessionId: "probe",
        model: null,
        path: program.environment.PATH ?? "",
        compileCacheDir: join(program.home, "cache", "pi"),
        keys: keys.forAll(),
        // The extension wants to know its session; this one's database is never opened.
        thoth: toProbeEnvironment(root),
      }),
      {
        onRecord: (record) => {
          providers = toKnownProviders(record) ?? providers;
        },
      },
    );
    try {
      const data = await child.rpc.send({ type: "get_available_models" }, timeoutMs);
      const models = (data as { models?: unknown } | undefined)?.models;
      return { models: (Array.isArray(models) ? models : []).flatMap((model) => toModelItem(model, keys)), providers };
    } catch (error) {
      const { stderr } = await child.kill();
      throw new ThothError(
        "models-unknown",
        "The models could not be listed.",
        undefined,
        `${String(error)} ${stderr}`,
      );
    } finally {
      await child.stop();
    }
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

export const toProbeEnvironment = (root: string) => ({
  THOTH_SESSION_ID: "probe",
  THOTH_SESSION_DIR: root,
  THOTH_CONNECTION: "null",
  THOTH_CATALOG_DIR: join(root, "catalogs"),
});

function toKnownProviders(record: PiRecord): KnownProvider[] | null {
  if (record.type !== "entry_appended") return null;
  const { customType, data } = (record.entry ?? {}) as { customType?: unknown; data?: unknown };
  if (customType !== childNotes.providers) return null;
  const checked = check(ProvidersNote, data);
  return checked.ok ? checked.value.providers : null;
}

export function toModelItem(value: unknown, { described }: Pick<ProviderKeys, "described">): ModelItem[] {
  const checked = check(PiModel, value);
  if (!checked.ok) return [];
  const model = checked.value;
  const { input = 0, output = 0 } = model.cost ?? {};
  return [
    {
      provider: model.provider,
      id: model.id,
      name: model.name ?? model.id,
      reasoning: model.reasoning ?? false,
      thinkingLevels: toThinkingLevels(model),
      contextWindow: Math.round(model.contextWindow ?? 0),
      price: input === 0 && output === 0 ? null : { input, output },
      local: model.provider === offlineProvider || (described.has(model.provider) && isLoopback(model.baseUrl ?? "")),
    },
  ];
}

/** Pi's rule: without a map all levels up to high; a level mapped to null isn't there, the highest two only when mapped. */
function toThinkingLevels(model: Static<typeof PiModel>): ThinkingLevel[] {
  if (!model.reasoning) return ["off"];
  return thinkingLevels.filter((level) => {
    const mapped = model.thinkingLevelMap?.[level];
    return mapped !== null && (mapped !== undefined || (level !== "xhigh" && level !== "max"));
  });
}
