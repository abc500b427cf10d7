import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fits, podRequests, sumResources } from '../../kube/index.ts';
import type { Pod } from '../../kube/index.ts';
import { overbookedPods } from './nominations.ts';

const pods = fc
  .array(fc.record({ cpu: fc.integer({ min: 1, max: 9 }), memory: fc.integer({ min: 1, max: 9 }) }), { maxLength: 8 })
  .map((all) =>
    all.map(({ cpu, memory }, at): Pod => ({
      metadata: { name: `p${at}` },
      spec: { containers: [{ name: 'main', resources: { requests: { cpu: `${cpu}`, memory: `${memory}` } } }] },
    })),
  );
const room = fc.record({ cpu: fc.integer({ min: 0, max: 40_000 }), memory: fc.integer({ min: 0, max: 40 }), pods: fc.constant(12) });
const together = (all: readonly Pod[]) => sumResources(all.map(podRequests));

describe('the nominations that are left on a node', () => {
  test('can be kept, all of them, where those who run there leave any room', () => {
    fc.assert(
      fc.property(room, pods, pods, (allocatable, bound, coming) => {
        const lost = new Set(overbookedPods({ allocatable, bound, coming }));
        const kept = coming.filter((pod) => !lost.has(pod));
        expect(kept.length === 0 || fits(together([...bound, ...kept]), allocatable)).toBe(true);
      }),
    );
  });

  test('are as many as can be: none that was ended would have found room beside them', () => {
    fc.assert(
      fc.property(room, pods, pods, (allocatable, bound, coming) => {
        const lost = overbookedPods({ allocatable, bound, coming });
        const kept = coming.filter((pod) => !lost.includes(pod));
        for (const pod of lost) expect(fits(together([...bound, ...kept, pod]), allocatable)).toBe(false);
      }),
    );
  });

  test('stay as they are when they are checked again', () => {
    fc.assert(
      fc.property(room, pods, pods, (allocatable, bound, coming) => {
        const lost = overbookedPods({ allocatable, bound, coming });
        const kept = coming.filter((pod) => !lost.includes(pod));
        expect(overbookedPods({ allocatable, bound, coming: kept })).toEqual([]);
      }),
    );
  });
});
