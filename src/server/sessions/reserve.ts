/**
 * A session that is ready before it is asked for: its own id, folder, lock and started child, kept for one question of
 * the workspace and provider that were used last. It becomes that question's session or goes; it is never shared, never
 * listed, and there is never more than one.
 */
import { createHash } from "node:crypto";
import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Connection } from "../../database/connection.ts";
import { readManifest } from "../../ledger/manifest.ts";
import { createSessionId, listSessionDirs, toSessionDir } from "../../ledger/session-dirs.ts";
import { type Manifest, ThothError } from "../../protocol/index.ts";
import type { Child } from "../../runtime/child.ts";
import type { PiRecord, RpcFault } from "../../runtime/rpc-client.ts";
import { readProviderKeys } from "../models/provider-keys.ts";
import { type ChildWish, launchChild } from "./launch-child.ts";
import { acquireOwner, type OwnerLock } from "./owner-lock.ts";
import { describe, type SessionParts } from "./session-parts.ts";

/** What the child is started for: it serves a session that wants the same. */
type Purpose = Pick<Manifest, "workspace" | "provider" | "model">;

export interface Prepared {
  readonly id: string;
  readonly model: string;
  readonly child: Child;
  readonly owner: OwnerLock;
  /** Whether this is what a session with these needs now; keys and connection may have changed meanwhile. */
  fits(wish: Pick<ChildWish, "workspace" | "connection" | "provider" | "keys">): Promise<boolean>;
  /** From now on the child's records go there. */
  hear(on: { record: (record: PiRecord) => void; fault: (fault: RpcFault, detail: string) => void }): void;
  /** The session is written down: its folder is a session's like any other. */
  adopted(): Promise<void>;
  /** It is needed for nothing: child, lock and folder go. */
  discard(): Promise<void>;
}

export interface Reserve {
  /** What is ready for a session like this; anything else that was ready goes. */
  claim(manifest: Manifest): Prepared | null;
  /** An id that is no session's yet. */
  holds(id: string): boolean;
  /** A session was asked for: the next will want the same, once it is quiet. Without a purpose, what was used last. */
  prepareLater(purpose?: Purpose): void;
  /** Children that are ready: none or one. */
  readonly size: number;
  close(): Promise<void>;
}

/** In a reserved folder, so that the next server can tell what a killed one left. */
const markFile = "reserved";

/**
 * `isBusy`: a start goes on, which must not share the machine with one that nobody waits for. Without `delayMs` nothing
 * is ever made ready; what an earlier server left is removed all the same.
 */
export function createReserve(
  parts: SessionParts,
  options: { delayMs: number | undefined; isBusy: () => boolean },
): Reserve {
  const held = new Set<string>();
  let ready: { purpose: Purpose; prepared: Prepared } | null = null;
  let work: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const closing = new AbortController();

  const inTurn = (next: () => Promise<void>): void => {
    work = work.then(next).catch((error: unknown) => {
      if (!closing.signal.aborted)
        parts.log.warn({ detail: describe(error) }, "A session could not be kept ready: the next one starts as usual.");
    });
  };
  const takeReady = (): Prepared | null => {
    const taken = ready?.prepared ?? null;
    ready = null;
    return taken;
  };
  const drop = (): void => {
    const dropped = takeReady();
    if (dropped) inTurn(dropped.discard);
  };

  async function prepare(purpose: Purpose): Promise<void> {
    if (closing.signal.aborted) return;
    const id = createSessionId(parts.now());
    const dir = toSessionDir(parts.program.home, id);
    held.add(id);
    await mkdir(dir, { recursive: true, mode: 0o700 });
    let owner: OwnerLock | undefined;
    const giveUp = async (child?: Child): Promise<void> => {
      await child?.stop();
      await owner?.release();
      await rm(dir, { recursive: true, force: true });
      held.delete(id);
    };
    try {
      await writeFile(join(dir, markFile), "", { mode: 0o600 });
      owner = await acquireOwner(dir);
      const lock = owner;
      const { connection } = await parts.openWorkspace(purpose.workspace);
      const keys = await readProviderKeys(parts.program.home, parts.program.environment);
      parts.learnSecrets(keys.secrets);
      const wish: ChildWish = {
        ...purpose,
        sessionId: id,
        sessionDir: dir,
        connection,
        thinking: (await parts.models.readDefault()).thinking,
        keys: keys.forProvider(purpose.provider),
        waits: true,
      };
      const needs = await toNeeds(parts, wish);
      // The next session finds the catalog read as well.
      await parts.ensureCatalog(connection);
      let hearing: Parameters<Prepared["hear"]>[0] = { record: () => undefined, fault: () => undefined };
      const { child } = await launchChild(
        parts.program,
        wish,
        {
          record: (record) => hearing.record(record),
          fault: (fault, detail) => hearing.fault(fault, detail),
          spawned: (started) => lock.nameChild(started.pid),
        },
        closing.signal,
      );
      const prepared: Prepared = {
        id,
        model: purpose.model,
        child,
        owner,
        fits: async (other) => (await toNeeds(parts, other)) === needs,
        hear: (on) => {
          hearing = on;
        },
        adopted: async () => {
          await rm(join(dir, markFile), { force: true });
          held.delete(id);
        },
        discard: () => giveUp(child),
      };
      ready = { purpose, prepared };
      parts.log.info({ session: id }, "A session is kept ready.");
      void child.exited.then(() => {
        if (ready?.prepared === prepared) drop(); // not started again: what ends by itself would end again
      });
    } catch (error) {
      await giveUp();
      throw error;
    }
  }

  function prepareLater(wanted?: Purpose): void {
    const { delayMs } = options;
    if (delayMs === undefined || closing.signal.aborted) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (options.isBusy()) return prepareLater(wanted);
      inTurn(async () => {
        const purpose = wanted ?? (await readLastPurpose(parts));
        if (ready && !serves(ready.purpose, purpose)) await takeReady()?.discard();
        if (!ready && (await parts.models.has(purpose.provider, purpose.model))) await prepare(purpose);
      });
    }, delayMs).unref();
  }

  inTurn(() => removeLeftovers(parts.program.home));
  return {
    claim(manifest) {
      if (ready && serves(ready.purpose, manifest)) return takeReady();
      drop();
      return null;
    },
    holds: (id) => held.has(id),
    prepareLater,
    get size() {
      return ready ? 1 : 0;
    },
    async close() {
      closing.abort();
      clearTimeout(timer);
      drop();
      await work;
    },
  };
}

/** Another model of the same provider can be set in the child. */
const serves = (one: Purpose, other: Purpose): boolean =>
  one.workspace === other.workspace && one.provider === other.provider;

/** One text for all that a child is started with besides model and level; never shown, and no key can be read from it. */
async function toNeeds(
  { program }: SessionParts,
  wish: Pick<ChildWish, "workspace" | "connection" | "provider" | "keys">,
): Promise<string> {
  const models = await readFile(join(program.home, "models.json"), "utf8").catch(() => ""); // none is a state too
  const secret = toSecretVariable(wish.connection);
  const all = [
    wish.workspace,
    wish.connection,
    wish.provider,
    wish.keys,
    models,
    secret && program.environment[secret],
  ];
  return createHash("sha256").update(JSON.stringify(all)).digest("base64");
}

const toSecretVariable = (connection: Connection): string | null =>
  "password" in connection && connection.password && "env" in connection.password ? connection.password.env : null;

/** Workspace of the latest session, with what a new session takes when it names no model. */
async function readLastPurpose(parts: SessionParts): Promise<Purpose> {
  const { provider, model } = await parts.models.readDefault();
  const ids = (await listSessionDirs(parts.program.home)).sort((a, b) => (a.id < b.id ? 1 : -1));
  for (const { dir } of ids.slice(0, 5)) {
    const manifest = await readManifest(dir).catch(() => null); // damaged, or no session's folder yet
    if (manifest) return { workspace: manifest.workspace, provider, model };
  }
  return { workspace: "demo", provider, model };
}

/** Folders that a killed server had reserved. One that is a session by now only loses its mark. */
async function removeLeftovers(home: string): Promise<void> {
  for (const { dir } of await listSessionDirs(home)) {
    if (!(await isThere(join(dir, markFile)))) continue;
    if (await isThere(join(dir, "manifest.json"))) {
      await rm(join(dir, markFile), { force: true });
      continue;
    }
    // Waits for what is left of its child; a folder that another server holds is that one's.
    const owner = await acquireOwner(dir).catch((error: unknown) => {
      if (error instanceof ThothError) return null;
      throw error;
    });
    if (!owner) continue;
    await rm(dir, { recursive: true, force: true });
    await owner.release();
  }
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
