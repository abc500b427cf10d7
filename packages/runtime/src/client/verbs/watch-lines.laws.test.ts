import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { linesOf } from './watch-event.ts';

async function* chunksAt(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  let start = 0;
  for (const cut of [...cuts].sort((a, b) => a - b)) {
    yield bytes.subarray(start, cut);
    start = cut;
  }
  yield bytes.subarray(start);
}

test('lines are the same wherever the stream is cut, within characters too', async () => {
  const line = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !text.includes('\n'));
  await fc.assert(
    fc.asyncProperty(fc.array(line), fc.array(fc.nat(400)), fc.boolean(), async (lines, cuts, endsWithNewline) => {
      const bytes = Buffer.from(lines.join('\n') + (endsWithNewline && lines.length > 0 ? '\n' : ''));
      const inside = cuts.map((cut) => cut % (bytes.length + 1));
      expect(await Array.fromAsync(linesOf(chunksAt(bytes, inside)))).toEqual(lines);
    }),
  );
});
