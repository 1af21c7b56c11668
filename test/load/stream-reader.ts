/**
 * A reader of a session's stream over a socket of its own, good or bad: it can stop reading, vanish, and come back from
 * its cursor. It keeps no text, so that hundreds of them can be had; what it checks is that nothing is missing.
 */
import { type ClientRequest, type IncomingMessage, request } from "node:http";

interface Place {
  port: number;
  headers(): Record<string, string>;
}

export class StreamReader {
  /** Numbered frames that came, over all connections. */
  frames = 0;
  /** Frames whose number didn't follow the one before; a reset that was told is none. */
  gaps = 0;
  /** Reasons of the resets that were told. */
  resets: string[] = [];
  lastId: string | undefined;
  /** The server ended the present connection, or it broke. */
  ended = false;
  /** Milliseconds from the child's write to this reader, for deltas that carry their time. */
  ages: number[] = [];
  readonly #place: Place;
  readonly #path: string;
  #sent: ClientRequest | undefined;
  #answer: IncomingMessage | undefined;
  #expected: number | null = null;

  constructor(place: Place, session: string) {
    this.#place = place;
    this.#path = `/api/sessions/${session}/events`;
  }

  get lastSeq(): number {
    return Number(this.lastId?.split("-")[1] ?? 0);
  }

  /** Connects, from the cursor when there is one; resolves with the first bytes. */
  open(): Promise<void> {
    this.ended = false;
    let held = "";
    return new Promise((done, fail) => {
      const headers = { ...this.#place.headers(), ...(this.lastId ? { "last-event-id": this.lastId } : {}) };
      const target = { host: "127.0.0.1", port: this.#place.port, path: this.#path, headers, agent: false as const };
      const sent = request(target, (answer) => {
        if (answer.statusCode !== 200) return fail(new Error(`the stream answered ${answer.statusCode}`));
        this.#answer = answer;
        answer.setEncoding("utf8");
        answer.on("data", (chunk: string) => {
          const parts = (held + chunk).split("\n\n");
          held = parts.pop() ?? "";
          for (const part of parts) this.#take(part);
          done();
        });
        answer.on("close", () => {
          this.ended = true;
        });
        answer.on("error", () => undefined); // a connection that breaks closes as well
      });
      this.#sent = sent;
      sent.on("error", (error) => {
        this.ended = true;
        fail(error);
      });
      sent.end();
    });
  }

  /** Takes nothing more: the server's side fills up. */
  stall(): void {
    this.#answer?.pause();
  }

  goOn(): void {
    this.#answer?.resume();
  }

  /** As a laptop that is closed: no goodbye. */
  vanish(): void {
    this.#answer?.socket.resetAndDestroy();
    this.#sent?.destroy();
  }

  #take(part: string): void {
    const event = /^event: (\w+)/m.exec(part)?.[1];
    if (event === "stream_open") {
      // From the cursor's next one; without a cursor, or after a reset, from the oldest that is held.
      const { firstSeq } = JSON.parse(/^data: (.*)$/m.exec(part)?.[1] ?? "{}") as { firstSeq: number };
      this.#expected = this.lastId === undefined ? firstSeq : this.lastSeq + 1;
      this.#firstSeq = firstSeq;
    }
    if (event === "stream_reset") {
      this.resets.push(String((JSON.parse(/^data: (.*)$/m.exec(part)?.[1] ?? "{}") as { reason: string }).reason));
      this.#expected = this.#firstSeq;
    }
    const id = /^id: (\S+)$/m.exec(part)?.[1];
    if (id === undefined) return;
    this.lastId = id;
    this.frames += 1;
    if (this.lastSeq !== this.#expected) this.gaps += 1;
    this.#expected = this.lastSeq + 1;
    const written = /<\d+@(\d+)>/.exec(part)?.[1];
    if (written) this.ages.push(Date.now() - Number(written));
  }
  #firstSeq = 1;
}
