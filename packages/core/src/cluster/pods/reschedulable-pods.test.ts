import { describe, expect, test } from '@jest/globals';
import { finish } from '../../base/index.ts';
import type { Labels, Pod, PodDisruptionBudget } from '../../kube/index.ts';
import type { NodeView } from '../node-view.ts';
import { doNotDisruptStatusOf, isDoNotDisrupt, readingBudgets } from './reschedulable-pods.ts';
import type { EvictionLimits } from './reschedulable-pods.ts';

describe('do not disrupt', () => {
  const startTime = '2026-01-01T00:00:00Z';
  const started = Date.parse(startTime);

  test.each<[string, string | undefined, boolean, number | undefined, boolean]>([
    ['without the annotation a pod may go', undefined, true, started, false],
    ['true lasts for ever', 'true', true, started + 1e12, true],
    ['a duration lasts until it has passed', '10m', true, started + 599_999, true],
    ['and then no longer', '10m', true, started + 600_000, false],
    ['it does not begin to run before the pod has started', '10m', false, started + 1e9, true],
    ['it lasts when the moment is not known', '10m', true, undefined, true],
    ['a duration of nothing is ignored', '0s', true, started, false],
    ['neither true nor a duration is ignored', 'yes', true, started, false],
    ['a duration beyond the range of Go is ignored', '9999999999h', true, started, false],
  ])('%s', (...[, value, hasStarted, nowMs, isAlone]) => {
    const pod = {
      metadata: { name: 'p', ...(value === undefined ? {} : { annotations: { 'karpenter.sh/do-not-disrupt': value } }) },
      spec: { containers: [] },
      status: hasStarted ? { startTime } : {},
    };
    expect(isDoNotDisrupt(pod, nowMs)).toBe(isAlone);
  });

  describe('the do-not-disrupt of a pod', () => {
    test.each([
      ['has an event with its end', '10m', true, started, { kind: 'lasting', untilMs: started + 600_000 }],
      ['has an event when it is over', '10m', true, started + 600_000, { kind: 'over' }],
      ['has an event when it makes no sense', 'yes', true, started, { kind: 'invalid', value: 'yes' }],
      ['a duration of nothing makes none', '0s', false, started, { kind: 'invalid', value: '0s' }],
      ['has an event when its duration is beyond the range of Go', '9999999999h', true, started, { kind: 'invalid', value: '9999999999h' }],
      ['has no event when it is for ever', 'true', true, started, undefined],
      ['has no event before the pod has started', '10m', false, started, undefined],
    ])('%s', (...[, value, hasStarted, nowMs, expected]) => {
      const metadata = { name: 'p', annotations: { 'karpenter.sh/do-not-disrupt': value } };
      expect(doNotDisruptStatusOf({ metadata, spec: { containers: [] }, status: hasStarted ? { startTime } : {} }, nowMs)).toEqual(
        expected,
      );
    });
  });
});

const evictionLimits = (budgets: readonly PodDisruptionBudget[]): EvictionLimits => finish(readingBudgets(budgets, []));

describe('eviction limits', () => {
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
});

describe('thousands of budgets in one namespace', () => {
  const range = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);
  const running = (labels: Labels): Pod => ({
    metadata: { name: 'web', namespace: 'default', labels },
    spec: { containers: [] },
    status: { phase: 'Running' },
  });
  const budgetFor = (name: string, values: readonly string[]): PodDisruptionBudget => ({
    metadata: { name, namespace: 'default' },
    spec: { selector: { matchExpressions: [{ key: 'app', operator: 'In', values }] } },
  });

  test('a pod is compared with those that require its label', () => {
    let lookups = 0;
    const labels = new Proxy<Record<string, string>>(
      { app: 'app-7' },
      {
        getOwnPropertyDescriptor: (target, key) => {
          lookups += 1;
          return Reflect.getOwnPropertyDescriptor(target, key);
        },
      },
    );
    const { budgetsOf } = evictionLimits(range(5_000).map((index) => budgetFor(`b-${index}`, [`app-${index}`])));
    expect(budgetsOf(running(labels)).map(({ metadata }) => metadata.name)).toEqual(['b-7']);
    expect(lookups).toBeLessThan(5);
  });

  test('long lists of values are read in steps, and not walked again', () => {
    let walks = 0;
    const valuesOf = (budget: number): readonly string[] =>
      Object.assign(
        range(10_000).map((each) => `${budget}-${each}`),
        {
          includes: () => {
            walks += 1;
            return false;
          },
        },
      );
    const budgets = range(40).map((index) => budgetFor(`b-${index}`, valuesOf(index)));
    const node = { pods: [running({ app: '3-9999' })] } as unknown as NodeView;
    const reading = readingBudgets(budgets, [node]);
    let steps = 1;
    let step = reading.next();
    for (; step.done !== true; step = reading.next()) steps += 1;
    expect(steps).toBeGreaterThan(20);
    expect(step.value.budgetsOf(running({ app: '3-9999' })).map(({ metadata }) => metadata.name)).toEqual(['b-3']);
    expect(walks).toBe(0);
  });
});
