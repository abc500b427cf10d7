import { expect, jest, test } from '@jest/globals';
import { fakeClock } from '@karpenter/runtime';
import { collectAfterStart } from './collect-after-start.ts';

const MIB = 1024 ** 2;

const collectionsAfter = async (ms: number, { usedMib = 20, isEnded = false } = {}): Promise<number> => {
  const clock = fakeClock(0);
  const end = new AbortController();
  const collect = jest.fn<() => void>();
  const done = collectAfterStart({ clock, signal: end.signal, collect, usedBytes: () => usedMib * MIB });
  if (isEnded) end.abort(new Error('the process ends'));
  await clock.advance(ms);
  if (ms >= 10_000 || isEnded) await done;
  return collect.mock.calls.length;
};

test('garbage of the start is collected once, ten seconds after it', async () => {
  expect([await collectionsAfter(9000), await collectionsAfter(10_000), await collectionsAfter(600_000)]).toEqual([0, 1, 1]);
});

test('garbage is left to V8 where the heap is large, or the process ends', async () => {
  expect([await collectionsAfter(10_000, { usedMib: 200 }), await collectionsAfter(10_000, { isEnded: true })]).toEqual([0, 0]);
});
