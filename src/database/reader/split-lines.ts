/** Cuts a byte stream into lines. Not readline: that one also breaks at U+2028, which JSON may hold. */
export function createLineSplitter(onLine: (line: string) => void): (chunk: Buffer) => void {
  let held: Buffer[] = [];
  return (chunk) => {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      held.push(chunk.subarray(from, end));
      const line = Buffer.concat(held).toString("utf8");
      held = [];
      from = end + 1;
      onLine(line);
    }
    if (from < chunk.length) held.push(chunk.subarray(from));
  };
}
