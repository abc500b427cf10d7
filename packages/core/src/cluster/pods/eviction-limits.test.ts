import { describe, expect, test } from '@jest/globals';
import type { Pod, PodDisruptionBudget } from '../../kube/index.ts';
import { evictionLimits } from './eviction-limits.ts';

const pod = (isReady = true, namespace = 'default', phase: 'Running' | 'Pending' = 'Running'): Pod => ({
  metadata: { name: 'web', namespace, labels: { app: 'web' } },
  spec: { containers: [] },
  status: { phase, conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }] },
});
const budget = (
  spec: PodDisruptionBudget['spec'],
  disruptionsAllowed = 0,
  { name = 'pdb', ...status }: { name?: string; currentHealthy?: number; desiredHealthy?: number; observedGeneration?: number } = {},
): PodDisruptionBudget => ({
  metadata: { name, namespace: 'default', generation: 2 },
  spec: { selector: { matchLabels: { app: 'web' } }, ...spec },
  status: { disruptionsAllowed, ...status },
});

describe('blockerOf', () => {
  test.each<[string, readonly PodDisruptionBudget[], Pod, string | undefined]>([
    ['no budget: nothing blocks', [], pod(), undefined],
    ['a budget with room does not block', [budget({ minAvailable: 1 }, 1)], pod(), undefined],
    ['a budget without room blocks', [budget({ minAvailable: 1 })], pod(), 'pdb'],
    ['a budget of another namespace does not matter', [budget({ minAvailable: 1 })], pod(true, 'other'), undefined],
    [
      'an unready pod may go where the budget says so',
      [budget({ minAvailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow' })],
      pod(false),
      undefined,
    ],
    ['a ready pod may not, even there', [budget({ minAvailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow' })], pod(), 'pdb'],
    ['two budgets block, room or not', [budget({}, 5, { name: 'b' }), budget({}, 5, { name: 'a' })], pod(), 'a'],
    [
      'an unready pod may go while enough others are healthy',
      [budget({}, 0, { currentHealthy: 2, desiredHealthy: 2 })],
      pod(false),
      undefined,
    ],
    ['an unready pod may not while too few are', [budget({}, 0, { currentHealthy: 1, desiredHealthy: 2 })], pod(false), 'pdb'],
    ['a ready pod may not, however many others are', [budget({}, 0, { currentHealthy: 2, desiredHealthy: 2 })], pod(), 'pdb'],
    ['a pod that has not started may go', [budget({ maxUnavailable: 0 })], pod(false, 'default', 'Pending'), undefined],
    ['a budget whose latest spec is not processed yet blocks', [budget({}, 1, { observedGeneration: 1 })], pod(), 'pdb'],
  ])('%s', (...[, budgets, subject, blocker]) => {
    expect(evictionLimits(budgets).blockerOf(subject)?.metadata.name).toBe(blocker);
  });
});

test.each([
  [{ maxUnavailable: 0 }, true],
  [{ maxUnavailable: '0%' }, true],
  [{ minAvailable: '100%' }, true],
  [{ minAvailable: 1 }, false],
  [{ maxUnavailable: '10%' }, false],
])('%j never allows an eviction: %s', (spec, isNever) => {
  expect(evictionLimits([budget(spec, 3)]).isNeverEvictable(pod())).toBe(isNever);
});

test.each<[string, readonly PodDisruptionBudget[], Pod, boolean]>([
  ['two budgets on one pod', [budget({}, 5, { name: 'a' }), budget({}, 5, { name: 'b' })], pod(), true],
  ['an unready pod, AlwaysAllow', [budget({ maxUnavailable: 0, unhealthyPodEvictionPolicy: 'AlwaysAllow' })], pod(false), false],
  ['a ready pod, AlwaysAllow', [budget({ maxUnavailable: 0, unhealthyPodEvictionPolicy: 'AlwaysAllow' })], pod(), true],
])('%s: never evictable is %s', (...[, budgets, subject, isNever]) => {
  expect(evictionLimits(budgets).isNeverEvictable(subject)).toBe(isNever);
});
