import { describe, expect, test } from '@jest/globals';
import type { Pod, PodDisruptionBudget } from '../../kube/index.ts';
import { evictionLimits } from './eviction-limits.ts';

const pod = (isReady = true, namespace = 'default'): Pod => ({
  metadata: { name: 'web', namespace, labels: { app: 'web' } },
  spec: { containers: [] },
  status: { phase: 'Running', conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }] },
});
const budget = (spec: PodDisruptionBudget['spec'], disruptionsAllowed = 0, name = 'pdb'): PodDisruptionBudget => ({
  metadata: { name, namespace: 'default' },
  spec: { selector: { matchLabels: { app: 'web' } }, ...spec },
  status: { disruptionsAllowed },
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
    ['two budgets block, room or not', [budget({}, 5, 'b'), budget({}, 5, 'a')], pod(), 'a'],
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
