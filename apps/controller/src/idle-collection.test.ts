import { expect, test } from '@jest/globals';
import { fakeClock } from '@karpenter/runtime';
import { collectAtRest } from './idle-collection.ts';

const MIB = 1024 ** 2;

interface Work {
  /** Beginning and end of each time in which the process works, in seconds. */
  readonly worksAt?: readonly (readonly [number, number])[];
  readonly usedMib?: number;
  readonly endsAt?: number;
}

/** Seconds at which garbage was collected in the first ten minutes. */
const collections = async ({ worksAt = [], usedMib = 20, endsAt = 600 }: Work = {}): Promise<readonly number[]> => {
  const clock = fakeClock(0);
  const end = new AbortController();
  const found: number[] = [];
  /** All of a processor while it works, a hundredth at rest. */
  const processorMs = (): number => {
    const nowMs = clock.now();
    const workedMs = worksAt.reduce((sum, [from, to]) => sum + Math.max(0, Math.min(nowMs, to * 1000) - from * 1000), 0);
    return workedMs + nowMs / 100;
  };
  const collect = () => void found.push(clock.now() / 1000);
  const done = collectAtRest({ clock, signal: end.signal, collect, usedBytes: () => usedMib * MIB, processorMs });
  await clock.advance(endsAt * 1000);
  end.abort(new Error('the process ends'));
  await done;
  return found;
};

test('when the process rests after its start › its garbage is collected once, after ten seconds', async () => {
  expect(await collections()).toEqual([10]);
});

test('when the start takes longer › its garbage is collected once it is over', async () => {
  expect(await collections({ worksAt: [[0, 23]] })).toEqual([30]);
});

test('when it works later › what that leaves is collected too, at most every two minutes', async () => {
  const worksAt = [
    [30, 40],
    [200, 220],
    [230, 240],
  ] as const;
  expect(await collections({ worksAt })).toEqual([10, 130, 250]);
});

test('when the heap is large, or the process ends › garbage is left to V8', async () => {
  expect([await collections({ usedMib: 200 }), await collections({ endsAt: 9 })]).toEqual([[], []]);
});
