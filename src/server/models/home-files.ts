/** The three files of the home that are about models: keys.json, models.json (Pi's own format) and config.json. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Static, type TSchema, Type } from "typebox";
import { replaceFile } from "../../ledger/replace-file.ts";
import { Budget, check, ThinkingLevel, ThothError } from "../../protocol/index.ts";

const KeysFile = Type.Record(Type.String(), Type.String());
type KeysFile = Static<typeof KeysFile>;

/** Of Pi's own format only what is needed here; whatever else stands there is kept as it is. */
const ModelsFile = Type.Object({
  providers: Type.Record(
    Type.String(),
    Type.Object({ apiKey: Type.Optional(Type.String()), baseUrl: Type.Optional(Type.String()) }),
  ),
});
export type ModelsFile = Static<typeof ModelsFile>;

const ConfigFile = Type.Object({
  provider: Type.String(),
  model: Type.String(),
  thinking: Type.Optional(ThinkingLevel),
  budget: Type.Optional(Type.Union([Budget, Type.Null()])),
});
export type ConfigFile = Static<typeof ConfigFile>;

export const modelFileNames = ["models.json", "keys.json"] as const;

/** Throws ThothError `keys-damaged`. */
export const readKeysFile = async (home: string): Promise<KeysFile> =>
  (await readJson(join(home, "keys.json"), KeysFile, "keys")) ?? {};
/** Throws ThothError `models-damaged`. */
export const readModelsFile = async (home: string): Promise<ModelsFile> =>
  (await readJson(join(home, "models.json"), ModelsFile, "models")) ?? { providers: {} };
/** Null when there is none or it can't be read: it names a default and no more. */
export const readConfigFile = (home: string): Promise<ConfigFile | null> =>
  readJson(join(home, "config.json"), ConfigFile, "config").catch(() => null);

export interface HomeFiles {
  changeKeys(change: (keys: KeysFile) => KeysFile): Promise<void>;
  changeModels(change: (models: ModelsFile) => ModelsFile): Promise<void>;
  writeConfig(config: ConfigFile): Promise<void>;
}

/** One change at a time; each file is replaced as a whole and only its owner may read it. One server per home. */
export function createHomeFiles(home: string): HomeFiles {
  let last: Promise<unknown> = Promise.resolve();
  const next = (work: () => Promise<void>): Promise<void> => {
    const mine = last.then(work);
    last = mine.catch(() => undefined); // told to the one who asked
    return mine;
  };
  const write = (name: string, value: object) => replaceFile(join(home, name), `${JSON.stringify(value, null, 2)}\n`);
  /** A file that stays as it is isn't written: every new state of it has the models listed anew, by a child. */
  const writeChanged = async <T extends object>(name: string, before: T, change: (before: T) => T): Promise<void> => {
    const after = change(before);
    if (JSON.stringify(after) !== JSON.stringify(before)) await write(name, after);
  };
  return {
    changeKeys: (change) => next(async () => writeChanged("keys.json", await readKeysFile(home), change)),
    changeModels: (change) => next(async () => writeChanged("models.json", await readModelsFile(home), change)),
    writeConfig: (config) => next(() => write("config.json", config)),
  };
}

async function readJson<S extends TSchema>(path: string, schema: S, name: string): Promise<Static<S> | null> {
  const damaged = (cause?: unknown) =>
    new ThothError(
      `${name}-damaged`,
      `${name}.json in ThothII's folder can't be read.`,
      "Mend its JSON, or remove it.",
      cause,
    );
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw damaged(error);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw damaged(); // the parser's message quotes the text, which holds keys
  }
  const checked = check(schema, value);
  if (!checked.ok) throw damaged();
  return checked.value;
}
