const NEWLINE = 10;

/** The lines of a byte stream, without their ends; a last line without an end counts. Lines may span any number of chunks. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let pending: Uint8Array[] = [];
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      pending.push(chunk.subarray(start, end));
      const line = Buffer.concat(pending).toString('utf8');
      pending = [];
      start = end + 1;
      if (line !== '') yield line;
    }
    if (start < chunk.length) pending.push(chunk.subarray(start));
  }
  const rest = Buffer.concat(pending).toString('utf8');
  if (rest !== '') yield rest;
}
