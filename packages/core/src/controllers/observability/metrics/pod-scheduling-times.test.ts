import { expect, test } from '@jest/globals';
import type { Pod } from '../../../kube/index.ts';
import type { Plan, Rejection } from '../../../scheduling/index.ts';
import { PodSchedulingTimes } from './lifetimes.ts';

const createdMs = Date.parse('2026-01-01T00:00:00Z');
const pod: Pod = { metadata: { name: 'web', creationTimestamp: '2026-01-01T00:00:00Z' }, spec: { containers: [] } };
const bound: Pod = { ...pod, spec: { ...pod.spec, nodeName: 'n' } };

const planWith = (parts: Partial<Plan>): Plan => ({ plannedNodes: [], placements: new Map(), rejections: [], pricePerHour: 0, ...parts });
const placing = (...pods: readonly Pod[]): Plan => planWith({ placements: new Map([['n', pods]]) });
const rejecting = (reason: Rejection['reason']): Plan => planWith({ rejections: [{ pod, reason }] });
const noPlace = rejecting({ kind: 'no-node-pools' });
const ranOut = rejecting({ kind: 'stopped' });

test.each<[string, readonly Plan[], readonly (readonly number[])[]]>([
  ['when it is placed, once', [placing(pod), placing(pod)], [[3000], []]],
  ['when it is rejected, and not again when it is placed', [noPlace, placing(pod)], [[3000], []]],
  ['not while time runs out before its turn', [ranOut, placing(pod)], [[], [4000]]],
  ['not for a pod of a node that goes', [placing(bound)], [[]]],
])('the first decision on a pod that waits is measured %s', (_, plans, expected) => {
  const times = new PodSchedulingTimes();
  times.see(pod, createdMs + 2000);
  times.see(pod, createdMs + 2500);
  expect(plans.map((plan, index) => times.decide(plan, createdMs + 5000 + 1000 * index))).toEqual(expected);
});

test.each<[string, readonly Plan[], number | undefined]>([
  ['the first plan that places it', [placing(pod), placing(pod)], 5000],
  ['the first that places it after one that had no place', [placing(pod), noPlace, placing(pod)], 3000],
  ['nothing, while no plan has a place', [noPlace], undefined],
  ['nothing, after the last plan had no place', [placing(pod), noPlace], undefined],
])('what a pod waits for counts from %s', (_, plans, expected) => {
  const times = new PodSchedulingTimes();
  for (const [index, plan] of plans.entries()) times.decide(plan, createdMs + 5000 + 1000 * index);
  expect(times.sincePlaced(bound, 10_000)).toBe(expected);
});

test('a clock of whole seconds makes no time negative', () => {
  const times = new PodSchedulingTimes();
  times.decide(placing(pod), createdMs + 5400);
  expect(times.sincePlaced(bound, 5000)).toBe(0);
});

test('a pod that is forgotten takes no memory, and begins again under its name', () => {
  const times = new PodSchedulingTimes();
  times.see(pod, createdMs);
  times.decide(placing(pod), createdMs);
  times.forget(bound);
  expect(times.size).toBe(0);
  times.see(pod, createdMs + 60_000);
  expect(times.undecidedMs(pod)).toBe(createdMs + 60_000);
});
