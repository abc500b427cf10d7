import { describe, expect, test } from '@jest/globals';
import type { Blocker } from '../../../disruption/index.ts';
import { blockerText } from './blocker-text.ts';

const prices = { pricePerHour: 0.4, cheapestReplacement: 0.1 };
const budget = { kind: 'budget', reason: 'Drifted', nodePoolName: 'web', allowed: 1, disrupting: 2 } as const;

describe('what people read about a node that stays', () => {
  test.each<[Blocker, string, string]>([
    [
      { ...budget, budget: { nodes: '10%' } },
      'DisruptionBlocked',
      'NodePool "web" allows no more disruptions for the reason Drifted, by its budget of "10%": it allows 1, and 2 are not ready or on their way out',
    ],
    [
      { ...budget, budget: { nodes: '0', schedule: '@daily', duration: '8h' }, allowed: 0 },
      'DisruptionBlocked',
      'NodePool "web" allows no more disruptions for the reason Drifted, by its budget of "0" (@daily for 8h): it allows 0, and 2 are not ready or on their way out',
    ],
    [
      { ...budget, budget: { nodes: '1', schedule: '0 9 * * 7', duration: '8h' }, allowed: 0 },
      'DisruptionBlocked',
      'NodePool "web" allows no disruptions, because of a malformed budget: budget.schedule "0 9 * * 7" must be five fields of cron (weekdays 0 to 6), or @daily and its like',
    ],
    [{ kind: 'costly-pods', pods: ['default/a'] }, 'Unconsolidatable', 'Planning where pods would schedule costs too much: default/a'],
    [{ kind: 'unschedulable-pods', pods: ['default/a'] }, 'Unconsolidatable', 'Not all pods would schedule: default/a'],
    [{ kind: 'unschedulable-pods', pods: ['default/a'], isDrifted: true }, 'DisruptionBlocked', 'Not all pods would schedule: default/a'],
    [
      { kind: 'spot-to-spot-off', ...prices },
      'Unconsolidatable',
      "SpotToSpotConsolidation is disabled, can't replace a spot node with a spot node: it costs $0.4000 an hour, what its pods need at least $0.1000",
    ],
    [
      { kind: 'spot-to-spot', cheaperTypes: 3, ...prices },
      'Unconsolidatable',
      "Can't replace a spot node with a spot node because too few types are cheaper: there are 3, and it costs $0.4000 an hour, what its pods need at least $0.1000",
    ],
    [
      { kind: 'min-values', shortfalls: [{ key: 'example.com/family', wanted: 3, found: 2 }], ...prices },
      'Unconsolidatable',
      "Can't replace with a cheaper node, because too few kinds of it are: minValues of example.com/family asks for 3, found 2, and it costs $0.4000 an hour, what its pods need at least $0.1000",
    ],
  ])('%j', (blocker, reason, message) => {
    expect(blockerText(blocker)).toMatchObject({ reason, message });
  });

  test('a figure that changes does not make it new', () => {
    const same = (allowed: number) => blockerText({ ...budget, allowed, budget: { nodes: '10%' } })?.sameAs;
    expect(same(1)).toBe(same(2));
  });

  test.each<[string, (name: string) => Blocker]>([
    ['a node whose pods settle', (nodeName) => ({ kind: 'settling-target', nodeName })],
    ['a node that comes up', (nodeName) => ({ kind: 'uninitialized-target', nodeName })],
    ['a pod without a place', (pod) => ({ kind: 'unschedulable-pods', pods: [pod] })],
  ])('the name of %s does not make it new', (_, blocked) => {
    const said = (name: string) => blockerText(blocked(name));
    expect(said('a')?.message).not.toBe(said('b')?.message);
    expect([said('a')?.sameAs, said('a')?.sameAs]).toEqual([expect.any(String), said('b')?.sameAs]);
  });
});
