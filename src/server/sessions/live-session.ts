/**
 * One session as the server holds it: its manifest and ledger as they stand, its turn, its stream and, while there is
 * one, its child. Here is what all verbs share; each verb (answer, say, stop, start) has a file of its own.
 */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { endRunningTools, initialBridge, toEvents, toThinkingStatus } from "../../bridge/to-events.ts";
import { changeLedger, readLedger } from "../../ledger/ledger.ts";
import { writeManifest } from "../../ledger/manifest.ts";
import {
  addUsage,
  type EventData,
  type Ledger,
  type LedgerEntry,
  type Manifest,
  type NewEntry,
  noUsage,
  type SessionEvent,
  type ThinkingLevel,
  ThothError,
  thinkingLevels,
  type Usage,
} from "../../protocol/index.ts";
import type { Child, ChildExit } from "../../runtime/child.ts";
import { classifyFailure, toFailure } from "../../runtime/classify-failure.ts";
import type { PiRecord } from "../../runtime/rpc-client.ts";
import { idleTurn, reduceTurn, type Turn, type TurnInput, waitingTurn } from "../../runtime/turn.ts";
import { createWatchdog, type Watchdog } from "../../runtime/watchdog.ts";
import { foldLedger, type SessionState } from "../../workflow/fold-ledger.ts";
import { toOpenGate } from "../../workflow/ledger-view.ts";
import type { OwnerLock } from "./owner-lock.ts";
import { describe, type Runtime, type SessionLog, type SessionParts } from "./session-parts.ts";
import { createSessionStream, type SessionStream } from "./session-stream.ts";

/** Long enough for a follow-up asked at once to find the child still there. */
const restAfterMs = 5_000;

export class LiveSession {
  readonly id: string;
  readonly dir: string;
  readonly parts: SessionParts;
  readonly stream: SessionStream;
  manifest: Manifest;
  state: SessionState = foldLedger([]);
  /** When the last entry was written; null without any. */
  lastAt: string | null = null;
  /** Why the ledger can't be read; the session can then only be looked at. */
  damage: ThothError | null = null;
  turn: Turn = idleTurn;
  /** Ledger number after which the present turn's usage is counted; null for a session that was just read. */
  turnFrom: number | null = null;
  thinkingInForce: ThinkingLevel | null = null;
  runtime: Runtime | null = null;
  owner: OwnerLock | null = null;
  /** Place among the starts that wait, 1 for the next one; null when it waits for none. */
  startPlace: number | null = null;
  /** Ends a start that goes on. */
  starting: AbortController | null = null;
  #queue: Promise<unknown> = Promise.resolve();
  /** Verbs that wait or work. */
  #verbs = 0;
  #closed = false;
  #refreshing = false;
  /** Place in the queue that the page was told last. */
  #toldPlace: number | null = null;
  /** Since when the turn waits; null while it doesn't. */
  #waitingSince: number | null = null;
  readonly #watchdog: Watchdog;

  constructor(parts: SessionParts, id: string, dir: string, manifest: Manifest) {
    this.parts = parts;
    this.id = id;
    this.dir = dir;
    this.manifest = manifest;
    this.stream = createSessionStream({ now: parts.now });
    this.#watchdog = createWatchdog(parts.watchdogMs, () => this.#stall());
  }

  /** One verb at a time; throws ThothError `server-closing` once the server shuts down. */
  exclusive<T>(work: () => Promise<T>): Promise<T> {
    this.#verbs += 1;
    const mine = this.#queue
      .then(() => {
        if (this.#closed) throw new ThothError("server-closing", "ThothII is shutting down.", "Start it again.");
        return work();
      })
      .finally(() => {
        this.#verbs -= 1;
      });
    this.#queue = mine.then(
      () => undefined,
      () => undefined,
    );
    return mine;
  }

  /** Nobody works at it or looks at it, and the disk has all that is known of it. */
  get isAtRest(): boolean {
    const settled = this.turn.state === "idle" || this.turn.state === "waiting";
    return settled && this.#verbs === 0 && !this.runtime && !this.owner && this.stream.readers === 0;
  }

  /** The same for what nobody waits for: a failure goes to the log. */
  inBackground(what: string, work: () => Promise<void>): void {
    this.exclusive(work).catch((error: unknown) => {
      if (!this.#closed) this.log("error", { detail: describe(error) }, what);
    });
  }

  log(level: keyof SessionLog, detail: object, message: string): void {
    this.parts.log[level]({ session: this.id, ...detail }, message);
  }

  publish(...events: SessionEvent[]): void {
    for (const event of events) this.stream.publish(event);
  }

  /** Appends what `change` says, adopts it and tells the page: first `toFirst`'s events (made from the new state), then the ledger and the phase. */
  async commit<T>(
    change: (state: SessionState) => { entries: NewEntry[]; value: T },
    toFirst: (value: T) => SessionEvent[] = () => [],
  ): Promise<T> {
    const now = () => new Date(this.parts.now());
    const { value, appended, ledger } = await changeLedger(
      this.dir,
      this.id,
      ({ entries }) => change(foldLedger(entries)),
      now,
    );
    if (appended.length > 0) this.#adopt(ledger, () => toFirst(value));
    return value;
  }

  /** Takes in what others appended: the child its queries, a command its own. */
  async refresh(): Promise<void> {
    try {
      this.#adopt(await readLedger(this.dir, this.id), () => []);
      this.damage = null;
    } catch (error) {
      if (!(error instanceof ThothError)) throw error;
      this.damage = error;
    }
  }

  #adopt(ledger: Ledger, toFirst: () => SessionEvent[]): void {
    const before = this.state;
    if (ledger.entries.length < before.lastSeq) return; // somebody read it before the last change
    this.state = foldLedger(ledger.entries);
    this.lastAt = ledger.entries.at(-1)?.at ?? null;
    this.publish(...toFirst());
    if (this.state.lastSeq !== before.lastSeq) this.publish({ event: "ledger", data: { lastSeq: this.state.lastSeq } });
    const phase = this.toPhase();
    if (JSON.stringify(phase) !== JSON.stringify(toPhase(before))) this.publish({ event: "phase", data: phase });
  }

  toPhase = (): EventData<"phase"> => toPhase(this.state);

  async saveManifest(change: Partial<Manifest>): Promise<void> {
    const next = { ...this.manifest, updatedAt: new Date(this.parts.now()).toISOString(), ...change };
    await writeManifest(this.dir, next);
    this.manifest = next;
  }

  /** Of the whole session, and of the turn that goes on or was the last. */
  usage(): { session: Usage; turn: Usage } {
    const from = this.turnFrom ?? this.state.askedAt;
    const ofTurn = this.state.usages.filter(({ seq }) => seq > from);
    return { session: this.state.usage, turn: ofTurn.reduce((sum, { usage }) => addUsage(sum, usage), noUsage) };
  }

  /** Moves the turn on and tells the page when it changed. */
  take(input: TurnInput): void {
    const rested = this.turn.state === "idle" || this.turn.state === "failed";
    if (input.type === "work-started" && rested) this.turnFrom = this.state.lastSeq;
    this.setTurn(reduceTurn(this.turn, input));
  }

  /** The turn of a session at which nobody works now. */
  rest(): void {
    this.setTurn(this.state.openGate ? waitingTurn : idleTurn);
  }

  setTurn(next: Turn): void {
    if (this.#closed) return; // what ends now was at work, and the next server shall see that
    const before = this.turn;
    this.turn = next;
    this.#waitingSince = next.state === "waiting" ? (this.#waitingSince ?? this.parts.now()) : null;
    if (next.state === "running" && this.runtime) {
      if (before.state !== "running") this.#watchdog.start();
    } else {
      this.#watchdog.pause();
    }
    if (next.state === before.state && next.failure === before.failure) return;
    this.#markWorking(next.state !== "idle");
    this.publish({ event: "turn", data: { turn: next.state, ...(next.failure ? { failure: next.failure } : {}) } });
  }

  /** So that a server that starts after this one died can tell a session at work from one at rest. */
  #markWorking(working: boolean): void {
    const path = join(this.dir, workingFile);
    try {
      if (working) writeFileSync(path, "", { mode: 0o600 });
      else rmSync(path, { force: true });
    } catch (error) {
      // Worth no more than a line: it only decides between two ways of saying that Resume goes on.
      this.log("warn", { detail: describe(error) }, "The session's mark could not be written.");
    }
  }

  snapshot(): Omit<EventData<"stream_open">, "epoch" | "firstSeq" | "lastSeq"> {
    return {
      turn: this.turn.state,
      openGate: this.state.openGate ? toOpenGate(this.state.openGate) : null,
      ...this.toPhase(),
      thinking: this.manifest.thinking,
      thinkingInForce: this.thinkingInForce,
      failure: this.turn.failure,
    };
  }

  attach(child: Child): Runtime {
    const runtime: Runtime = {
      child,
      starting: true,
      bridge: initialBridge,
      dialogs: new Map(),
      asked: new Map(),
      unacknowledged: null,
    };
    this.runtime = runtime;
    void child.exited.then((exit) => this.#onExit(runtime, exit));
    return runtime;
  }

  /** Tells the place when it is new or half of what was told last: each one would fill the page with them. */
  waitForStart(place: number): void {
    this.startPlace = place === 0 ? null : place;
    const told = this.#toldPlace;
    this.#toldPlace = place === 0 ? null : told === null || place <= told / 2 ? place : told;
    if (this.#toldPlace !== told) this.publish({ event: "status", data: toPlaceStatus(place) });
  }

  waitNoMore(): void {
    this.startPlace = null;
    this.#toldPlace = null;
  }

  /** The start is over: from now on the child's end is news, and its silence too. */
  started(runtime: Runtime, thinkingInForce: ThinkingLevel): void {
    runtime.starting = false;
    this.thinkingInForce = thinkingInForce;
    const { thinking } = this.manifest;
    // A level that the model clamped is told; Pi says nothing when its own stays the same.
    if (thinkingInForce !== thinking) this.publish(toThinkingStatus(thinkingInForce, thinking));
    if (this.turn.state === "running") this.#watchdog.start();
  }

  /** The old child's late records are nobody's from the first line on. */
  async detach(): Promise<void> {
    const runtime = this.runtime;
    this.runtime = null;
    this.#watchdog.pause();
    if (runtime) await runtime.child.stop();
  }

  async releaseOwner(): Promise<void> {
    const owner = this.owner;
    this.owner = null;
    await owner?.release();
  }

  /** Ends the child without touching turn, gates or ledger: the next start finds all as it was. */
  async close(): Promise<void> {
    this.#closed = true;
    this.starting?.abort();
    this.stream.close();
    await this.detach();
    await this.#queue;
    await this.detach();
    await this.releaseOwner();
  }

  /** Called from the child's stdout: a fault of ours here must not end the server. */
  onRecord(runtime: Runtime, record: PiRecord): void {
    if (this.runtime !== runtime) return;
    try {
      this.#takeRecord(runtime, record);
    } catch (error) {
      this.log("error", { record: record.type, detail: describe(error) }, "A record could not be taken in.");
    }
  }

  #takeRecord(runtime: Runtime, record: PiRecord): void {
    this.#watchdog.touch();
    if (record.type === "extension_ui_request") {
      this.parts.onDialog(this, runtime, record);
      return;
    }
    this.#logTrouble(record);
    const { state, events } = toEvents(runtime.bridge, record, toRetryReason(record));
    runtime.bridge = state;
    this.publish(...events);
    switch (record.type) {
      case "thinking_level_changed":
        this.thinkingInForce = thinkingLevels.find((level) => level === record.level) ?? this.thinkingInForce;
        break;
      case "tool_execution_end":
        this.#acknowledge(runtime);
        this.#refreshSoon();
        break;
      case "message_end":
      case "compaction_end":
        // The child has counted it by now: the page shows what was used while the model works.
        this.#refreshSoon();
        break;
      case "agent_settled":
        runtime.dialogs.clear();
        runtime.asked.clear();
        setTimeout(() => this.#restWhenAnswered(runtime), restAfterMs).unref();
        break;
    }
    this.take({ type: "record", record });
  }

  /** A closed question needs no child, which would hold its memory until the server ends; a follow-up starts one. */
  #restWhenAnswered(runtime: Runtime): void {
    if (this.#closed || this.runtime !== runtime) return;
    this.inBackground("A child with nothing to do could not be stopped.", async () => {
      const atRest = this.runtime === runtime && this.turn.state === "idle" && this.state.outcome !== null;
      if (!atRest) return;
      await this.detach();
      await this.releaseOwner();
    });
  }

  /** A child that waits for hours holds memory for nothing: the ledger has the gate, and its answer starts another one. */
  restLongWait(limitMs: number): void {
    const waited = () => this.#waitingSince !== null && this.parts.now() - this.#waitingSince >= limitMs;
    if (this.#closed || !this.runtime || !waited()) return;
    this.inBackground("A child that waited long could not be stopped.", async () => {
      if (!this.runtime || !this.state.openGate || !waited()) return;
      await this.detach();
      await this.releaseOwner();
    });
  }

  #acknowledge(runtime: Runtime): void {
    const gateId = runtime.unacknowledged;
    if (gateId === null) return;
    runtime.unacknowledged = null;
    this.inBackground("A delivery could not be noted.", () => this.noteDelivered(gateId));
  }

  #refreshSoon(): void {
    if (this.#refreshing) return;
    this.#refreshing = true;
    this.inBackground("The ledger could not be read.", async () => {
      this.#refreshing = false;
      await this.refresh();
    });
  }

  async noteDelivered(gateId: string): Promise<void> {
    await this.commit((state) => ({
      entries: state.undelivered?.opened.gateId === gateId ? [{ type: "gate-delivered", gateId }] : [],
      value: null,
    }));
  }

  #logTrouble(record: PiRecord): void {
    const message = record.message as { errorMessage?: unknown } | undefined;
    const detail =
      message?.errorMessage ??
      record.errorMessage ??
      record.finalError ??
      (record.type === "extension_error" ? record.error : undefined);
    if (typeof detail === "string" && record.type !== "turn_end")
      this.log("warn", { record: record.type, detail }, "The model's work met an error.");
  }

  #onExit(runtime: Runtime, exit: ChildExit): void {
    if (this.runtime !== runtime || this.#closed) return;
    this.runtime = null;
    this.publish(...endRunningTools(runtime.bridge).events);
    if (runtime.starting) return;
    if (!exit.intended)
      this.log(
        "warn",
        { code: exit.code, signal: exit.signal, detail: exit.stderr },
        "The model's process ended by itself.",
      );
    this.take({ type: "child-exited", intended: exit.intended });
    this.inBackground("The session's lock could not be given up.", async () => {
      if (!this.runtime) await this.releaseOwner();
    });
  }

  /** Nothing can be written down: the model would go on towards decisions that nobody can keep. */
  stopForStorage(runtime: Runtime): void {
    if (this.runtime !== runtime) return;
    this.take({ type: "failed", failure: toFailure("storage") });
    void runtime.child.kill();
  }

  #stall(): void {
    const runtime = this.runtime;
    if (!runtime || this.turn.state !== "running") return;
    this.log("warn", { ms: this.parts.watchdogMs }, "The model's process said nothing for too long.");
    this.take({ type: "failed", failure: toFailure("stalled") });
    void runtime.child.kill();
  }
}

const toPlaceStatus = (place: number): EventData<"status"> =>
  place === 0
    ? { code: "starting", text: "Its turn has come: the model is being started." }
    : { code: "queued", text: `Other questions are being started. Place in the queue: ${place}.` };

export const workingFile = "working";

/** Why Pi tries again, in our own words; the fault's own sentence says it, unless that is about the reader's doing. */
function toRetryReason({ type, errorMessage }: PiRecord): string | undefined {
  if (type !== "auto_retry_start" || typeof errorMessage !== "string") return undefined;
  const code = classifyFailure(errorMessage);
  return code === "rate-limited" || code === "overloaded" || code === "network" ? toFailure(code).message : undefined;
}

function toPhase(state: SessionState): EventData<"phase"> {
  return { phase: state.phase, phases: state.phases, outcome: state.outcome };
}

/** The gate_closed event of a gate that ends now. */
export function toGateClosed(
  opened: LedgerEntry & { type: "gate-opened" },
  reason: EventData<"gate_closed">["reason"],
  answer?: "continue" | "other",
): SessionEvent {
  const { gateId, kind, phase } = opened;
  return { event: "gate_closed", data: { gateId, kind, phase, reason, ...(answer ? { answer } : {}) } };
}
