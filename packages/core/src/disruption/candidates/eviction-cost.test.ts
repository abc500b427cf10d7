import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { disruptionCost, evictionCost } from './candidate.ts';
import { aRunningPod } from '../testing/a-cluster.ts';

const withCost = (cost: string, priority = 0) =>
  aRunningPod('p', 1, { metadata: { annotations: { 'controller.kubernetes.io/pod-deletion-cost': cost } }, spec: { priority } });

describe('what it costs to move a pod', () => {
  test.each([
    ['one for an ordinary pod', '', 0, 1],
    ['more for a dear one', String(2 ** 27), 0, 2],
    ['less for a cheap one', String(-(2 ** 27)), 0, 0],
    ['more for an important one', '0', 2 ** 25, 2],
    ['ten at most', '2147483647', 2_000_000_000, 10],
    ['ten below zero at least', '0', -2_147_483_648, -10],
    ['one when its cost is no number', 'a lot', 0, 1],
  ])('%s', (...[, cost, priority, expected]) => expect(evictionCost(withCost(cost, priority))).toBeCloseTo(expected, 6));
});

describe('what it costs to disrupt a node', () => {
  const pod = fc.tuple(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), fc.integer({ min: -(2 ** 31), max: 2e9 }));

  test('is one when nothing moves', () => expect(disruptionCost([])).toBe(1));

  test('never falls when another pod moves', () => {
    fc.assert(
      fc.property(fc.array(pod, { maxLength: 10 }), pod, (others, [cost, priority]) => {
        const pods = others.map(([c, p]) => withCost(String(c), p));
        expect(disruptionCost([...pods, withCost(String(cost), priority)])).toBeGreaterThanOrEqual(disruptionCost(pods));
      }),
    );
  });
});
