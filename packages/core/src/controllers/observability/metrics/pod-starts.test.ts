import { expect, test } from '@jest/globals';
import type { CacheChange } from '@karpenter/runtime';
import type { Pod } from '../../../kube/index.ts';
import { PodStarts } from './lifetimes.ts';

type Phase = 'pending' | 'running' | 'ready' | 'ready-later' | 'succeeded' | 'gone';

const key = { namespace: 'shop', name: 'web' };
const readyAt = (time: string) => [{ type: 'Ready', status: 'True' as const, lastTransitionTime: `2026-01-01T00:00:${time}Z` }];
const statuses: Readonly<Record<Phase, NonNullable<Pod['status']>>> = {
  pending: { phase: 'Pending' },
  running: { phase: 'Running', conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: '2026-01-01T00:00:30Z' }] },
  ready: { phase: 'Running', conditions: readyAt('42') },
  'ready-later': { phase: 'Running', conditions: readyAt('59') },
  succeeded: { phase: 'Succeeded', conditions: readyAt('59') },
  gone: { phase: 'Running', conditions: readyAt('59') },
};

const changeTo = (phase: Phase): CacheChange<Pod> => ({
  type: phase === 'gone' ? 'deleted' : 'added',
  key,
  object: { metadata: { ...key, creationTimestamp: '2026-01-01T00:00:00Z' }, spec: { containers: [] }, status: statuses[phase] },
});

test.each<[string, readonly Phase[], readonly number[]]>([
  ['from the creation of the pod until it is ready', ['pending', 'running', 'ready'], [42_000]],
  ['once, though it is ready again', ['pending', 'ready', 'running', 'ready-later'], [42_000]],
  ['not for a pod that ran before it was first seen', ['running', 'ready', 'ready-later'], []],
  ['not for a pod that ended before it was ready', ['pending', 'running', 'succeeded', 'ready-later'], []],
  ['not for a pod that was deleted before it was ready', ['pending', 'gone', 'ready-later'], []],
  ['again for the next pod of that name', ['pending', 'ready', 'gone', 'pending', 'ready-later'], [42_000, 59_000]],
])('the startup time is measured %s', (_title, phases, expected) => {
  const starts = new PodStarts();
  expect(phases.map((phase) => starts.see(changeTo(phase))).filter((tookMs) => tookMs !== undefined)).toEqual(expected);
});
