import { expect, test } from '@jest/globals';
import type { Pod } from '../../../kube/index.ts';
import { aPod } from '../../../testing/objects.ts';
import { drainReport } from './drain-report.ts';
import { drainStep } from './drain-step.ts';

const nowMs = Date.parse('2026-01-01T12:00:00Z');
const MINUTE = 60_000;

const drainingPod = (name: string, metadata: Partial<Pod['metadata']> = {}, spec: Partial<Pod['spec']> = {}): Pod =>
  aPod(name, { metadata, spec });
const kept = (name: string, value = 'true'): Pod => drainingPod(name, { annotations: { 'karpenter.sh/do-not-disrupt': value } });
const leaving = (name: string): Pod => drainingPod(name, { deletionTimestamp: '2026-01-01T12:10:00Z' });

interface Scene {
  readonly forMs?: number;
  /** Name of a pod → how the eviction API refuses it. */
  readonly refused?: Readonly<Record<string, string>>;
}

const report = (pods: readonly Pod[], { forMs = 0, refused = {} }: Scene = {}) =>
  drainReport(drainStep(pods, { nowMs }), { nowMs, sinceMs: nowMs - forMs, refusalOf: ({ metadata: { name } }) => refused[name] });

test.each<[string, ReturnType<typeof report>, string]>([
  ['a pod with do-not-disrupt', report([kept('db')]), 'Waiting for pods: default/db (annotation karpenter.sh/do-not-disrupt)'],
  [
    'a pod with do-not-disrupt for a time',
    report([{ ...kept('db', '1h'), status: { startTime: '2026-01-01T11:30:00Z' } }]),
    'Waiting for pods: default/db (annotation karpenter.sh/do-not-disrupt until 2026-01-01T12:30:00Z)',
  ],
  [
    'a pod that the eviction API refused, in its words',
    report([drainingPod('web')], { refused: { web: 'The disruption budget web needs 2 healthy pods and has 2 currently' } }),
    'Waiting for pods: default/web (The disruption budget web needs 2 healthy pods and has 2 currently)',
  ],
  [
    'after two minutes, a pod without an end and those of groups that follow',
    report([leaving('slow'), drainingPod('dns', {}, { priorityClassName: 'system-cluster-critical' })], { forMs: 2 * MINUTE }),
    'Waiting for pods: default/dns (waits for pods of a lower priority group to leave), default/slow (terminating, due at 2026-01-01T12:10:00Z)',
  ],
  [
    'a pod that outlasts its grace period, and those of groups that follow',
    report([
      drainingPod('held', { deletionTimestamp: '2026-01-01T11:59:49Z' }),
      drainingPod('dns', {}, { priorityClassName: 'system-cluster-critical' }),
    ]),
    'Waiting for pods: default/dns (waits for pods of a lower priority group to leave), default/held (terminating, due at 2026-01-01T11:59:49Z)',
  ],
  [
    'after two minutes, a pod whose eviction gets no answer, and no pod of a group that follows beside one that is held',
    report([drainingPod('web'), kept('db'), drainingPod('dns', {}, { priorityClassName: 'system-cluster-critical' })], {
      forMs: 2 * MINUTE,
    }),
    'Waiting for pods: default/db (annotation karpenter.sh/do-not-disrupt), default/web (its eviction is not answered yet)',
  ],
  [
    'the first five by name, and how many more',
    report(['f', 'e', 'd', 'c', 'b', 'a'].map((name) => kept(name))),
    `Waiting for pods: ${['a', 'b', 'c', 'd', 'e'].map((name) => `default/${name} (annotation karpenter.sh/do-not-disrupt)`).join(', ')}, and 1 more`,
  ],
])('a drain that hangs names %s', (_, { message, holds }, expected) => {
  expect(message).toBe(expected);
  expect(holds).not.toEqual([]);
});

test('a drain whose pods leave in time does not hang', () => {
  const justDue = drainingPod('db', { deletionTimestamp: '2026-01-01T11:59:50Z' });
  expect(report([leaving('web'), drainingPod('api'), justDue], { forMs: MINUTE })).toEqual({ message: 'Draining', pods: [], holds: [] });
});

test('only the pods that someone must let go of are named, while others leave', () => {
  expect(report([leaving('web'), kept('db')]).message).toBe('Waiting for pods: default/db (annotation karpenter.sh/do-not-disrupt)');
});

test('after two minutes, a pod without an end is named beside one that is held', () => {
  const dns = drainingPod('dns', {}, { priorityClassName: 'system-cluster-critical' });
  expect(report([kept('db'), leaving('batch'), dns], { forMs: 2 * MINUTE })).toEqual({
    message:
      'Waiting for pods: default/batch (terminating, due at 2026-01-01T12:10:00Z), default/db (annotation karpenter.sh/do-not-disrupt)',
    pods: ['default/batch', 'default/db'],
    holds: ['do-not-disrupt', 'slow'],
  });
});

test('what holds a drain up is the same while pods and the figures of their budgets change', () => {
  const before = report([kept('db'), drainingPod('a'), drainingPod('b')], {
    refused: { a: 'needs 2 healthy pods', b: 'needs 2 healthy pods' },
  });
  const after = report([kept('db'), drainingPod('b')], { refused: { b: 'needs 1 healthy pods' } });
  expect([before.holds, after.holds]).toEqual([
    ['do-not-disrupt', 'refused'],
    ['do-not-disrupt', 'refused'],
  ]);
  expect([before.pods, after.pods]).toEqual([
    ['default/a', 'default/b', 'default/db'],
    ['default/b', 'default/db'],
  ]);
  expect(report([leaving('slow')], { forMs: 2 * MINUTE })).toMatchObject({ pods: ['default/slow'], holds: ['slow'] });
});
