import { describe, expect, test } from '@jest/globals';
import type { Pod } from '../../kube/index.ts';
import type { PodClass, PodSet } from '../classes/pod-class.ts';
import { aNamedPod } from '../testing/a-class.ts';
import { leavesFewer, mergedUnplaced, ofPods } from './solve-retries.ts';
import type { UnplacedPods } from './solve.ts';

const aClassOfItsOwn = (): PodClass => ({}) as Partial<PodClass> as PodClass;
const podOf = (name: string, priority?: number): Pod => ({
  ...aNamedPod(name),
  spec: { containers: [], ...(priority === undefined ? {} : { priority }) },
});
/** Pods with these priorities. */
const setOf = (podClass: PodClass, ...priorities: readonly (number | undefined)[]): PodSet => ({
  podClass,
  pods: priorities.map((priority, index) => podOf(`pod-${index}`, priority)),
});
const asBuffer = (podSet: PodSet): PodSet => ({ ...podSet, isBuffer: true });
const left = (podSet: PodSet, count: number, wasStopped = false): UnplacedPods => ({ podSet, count, wasStopped });

describe('the unplaced pods of each pod group together', () => {
  const [web, job] = [setOf(aClassOfItsOwn(), 0, 0, 0), setOf(aClassOfItsOwn(), 0)];
  const part = (podSet: PodSet): PodSet => ({ ...podSet, pods: podSet.pods.slice(0, 1) });

  test('when a group was placed in parts › they are counted together, as the question has the group and in its order', () => {
    const spare = setOf(aClassOfItsOwn(), 0);
    expect(mergedUnplaced([left(part(web), 1), left(job, 1), left(part(web), 2)], [spare, web, job])).toEqual([
      { podSet: web, count: 3, wasStopped: false, shortage: undefined },
      { podSet: job, count: 1, wasStopped: false, shortage: undefined },
    ]);
  });

  test('when one part was stopped › the group was, and its shortage is that of the last part', () => {
    const [first, last] = [{ of: 'first' }, { of: 'last' }] as unknown as readonly (UnplacedPods['shortage'] & object)[];
    const parts = [
      { ...left(web, 1, true), shortage: first },
      { ...left(web, 1), shortage: last },
    ];
    expect(mergedUnplaced(parts, [web])).toEqual([{ podSet: web, count: 2, wasStopped: true, shortage: last }]);
  });

  test('when virtual pods are of the same class › they are counted apart', () => {
    const spare = asBuffer(web);
    const counts = mergedUnplaced([left(spare, 2), left(web, 1)], [web, spare]).map(({ podSet, count }) => [podSet.isBuffer, count]);
    expect(counts).toEqual([
      [undefined, 1],
      [true, 2],
    ]);
    expect(ofPods([left(spare, 2), left(web, 1)])).toEqual([left(web, 1)]);
  });
});

describe('which of two solutions leaves fewer pods unplaced', () => {
  const [high, low] = [setOf(aClassOfItsOwn(), 10, 10), setOf(aClassOfItsOwn(), undefined, 0)];
  const mixed = setOf(aClassOfItsOwn(), 10, 0, 0);

  test.each<[string, readonly UnplacedPods[], readonly UnplacedPods[], boolean]>([
    ['fewer of one priority', [left(low, 1)], [left(low, 2)], true],
    ['more of one priority', [left(low, 2)], [left(low, 1)], false],
    ['as many', [left(low, 1)], [left(low, 1)], false],
    ['none, where the other leaves some', [], [left(low, 1)], true],
    ['fewer of a high priority and more of a low one', [left(high, 1), left(low, 2)], [left(high, 2), left(low, 1)], true],
    ['more of a high priority and fewer of a low one', [left(high, 2)], [left(high, 1), left(low, 2)], false],
    ['as many of a high priority and fewer of a low one', [left(high, 1), left(low, 1)], [left(high, 1), left(low, 2)], true],
    ['pods of a low priority, the last of a group that has others too', [left(mixed, 2)], [left(high, 1)], true],
    ['as many of a group that has others too', [left(mixed, 2)], [left(low, 2)], false],
    ['fewer virtual pods', [], [left(asBuffer(low), 2)], false],
  ])('leaves %s', (_, unplaced, than, isFewer) => {
    expect(leavesFewer(unplaced, than)).toBe(isFewer);
  });
});
