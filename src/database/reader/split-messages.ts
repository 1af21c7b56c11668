/**
 * Cuts a byte stream into messages: one JSON text per line, after which come as many bytes as its `payloadBytes`
 * says, if it says any. Not readline: that one also breaks at U+2028, which JSON may hold.
 */
export function createMessageSplitter<Message extends object>(
  onMessage: (message: Message, payload: Buffer) => void,
): (chunk: Buffer) => void {
  let held: Buffer[] = [];
  let waiting: { message: Message; payload: Buffer; filled: number } | undefined;
  return (chunk) => {
    let from = 0;
    while (from < chunk.length) {
      if (waiting) {
        const copied = chunk.copy(waiting.payload, waiting.filled, from);
        waiting.filled += copied;
        from += copied;
        if (waiting.filled < waiting.payload.length) return;
        const { message, payload } = waiting;
        waiting = undefined;
        onMessage(message, payload);
        continue;
      }
      const end = chunk.indexOf(10, from);
      if (end < 0) {
        held.push(chunk.subarray(from));
        return;
      }
      held.push(chunk.subarray(from, end));
      from = end + 1;
      const line = held.length === 1 ? (held[0] as Buffer) : Buffer.concat(held);
      held = [];
      const message = JSON.parse(line.toString("utf8")) as Message;
      const bytes = "payloadBytes" in message && typeof message.payloadBytes === "number" ? message.payloadBytes : 0;
      // Of its own, and at its beginning: numbers are read from it in place.
      if (bytes > 0) waiting = { message, payload: Buffer.allocUnsafeSlow(bytes), filled: 0 };
      else onMessage(message, nothing);
    }
  };
}

const nothing = Buffer.alloc(0);
