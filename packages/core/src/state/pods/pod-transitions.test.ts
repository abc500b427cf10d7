import { describe, expect, test } from '@jest/globals';
import { fakeClock } from '@karpenter/runtime';
import type { Condition, Pod } from '../../kube/index.ts';
import { PodTransitions } from './pod-transitions.ts';

const runningOn = (nodeName: string): Pod => ({
  metadata: { name: `on-${nodeName}`, namespace: 'default' },
  spec: { containers: [], nodeName },
  status: { phase: 'Running' },
});

const aDaemonPod = (conditions: readonly Condition[]): Pod => {
  const { metadata, spec } = runningOn('a');
  const ownerReferences = [{ apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'logs', uid: 'logs' }];
  return { metadata: { ...metadata, ownerReferences }, spec, status: { phase: 'Running', conditions } };
};

const following = () => {
  const nodes = new Set<string>();
  const transitions = new PodTransitions({
    clock: fakeClock(),
    hasSynced: () => true,
    hasNode: (name) => nodes.has(name),
    onBug: () => undefined,
  });
  return {
    transitions,
    nodeComes: (name: string) => nodes.add(name),
    nodeGoes: (name: string) => {
      nodes.delete(name);
      transitions.forget(name);
    },
  };
};

describe('when a node last gained or lost a pod', () => {
  test('is known for a pod that is seen before its node', () => {
    const { transitions, nodeComes } = following();
    transitions.see(runningOn('a'), undefined);
    nodeComes('a');
    expect(transitions.lastOn('a')).toBeDefined();
  });

  test('is known for a pod that left while the node exists', () => {
    const { transitions, nodeComes } = following();
    nodeComes('a');
    transitions.see(undefined, runningOn('a'));
    expect(transitions.lastOn('a')).toBeDefined();
  });

  test.each(['before', 'after'])('is forgotten with nodes that come and go, their pods seen to go %s them', (when) => {
    const { transitions, nodeComes, nodeGoes } = following();
    for (let index = 0; index < 100; index += 1) {
      const name = `node-${index}`;
      nodeComes(name);
      transitions.see(runningOn(name), undefined);
      if (when === 'before') transitions.see(undefined, runningOn(name));
      nodeGoes(name);
      if (when === 'after') transitions.see(undefined, runningOn(name));
    }
    expect(transitions.size).toBe(0);
  });

  test('is forgotten with a pod whose node never was seen', () => {
    const { transitions } = following();
    transitions.see(runningOn('a'), undefined);
    transitions.see(undefined, runningOn('a'));
    expect(transitions.size).toBe(0);
  });
});

describe('when a process starts, a node last gained or lost a pod', () => {
  const found = (pods: readonly Pod[]) => {
    const transitions = new PodTransitions({
      clock: fakeClock(Date.UTC(2026, 0, 1, 1)),
      hasSynced: () => false,
      hasNode: () => true,
      onBug: () => undefined,
    });
    const reported: unknown[] = [];
    transitions.subscribe((transition) => reported.push(transition));
    for (const pod of pods) transitions.see(pod, undefined);
    return { transitions, reported };
  };
  const onNodeA = ({ metadata, status, ...spec }: Partial<Pod> & Partial<Pod['spec']>): Pod => {
    const pod = runningOn('a');
    return { metadata: { ...pod.metadata, ...metadata }, spec: { ...pod.spec, ...spec }, status: { ...pod.status, ...status } };
  };
  const bound = (lastTransitionTime: string) => [{ type: 'PodScheduled', status: 'True' as const, lastTransitionTime }];
  const older = onNodeA({ status: { conditions: bound('2026-01-01T00:20:00Z') } });

  test.each([
    ['when its last pod was bound', onNodeA({ status: { conditions: bound('2026-01-01T00:30:00Z') } }), '2026-01-01T00:30:00Z'],
    [
      'when the deletion of one of its pods was requested',
      onNodeA({
        metadata: { name: 'going', deletionTimestamp: '2026-01-01T00:41:00Z', deletionGracePeriodSeconds: 60 },
        status: { conditions: bound('2026-01-01T00:30:00Z') },
      }),
      '2026-01-01T00:40:00Z',
    ],
    [
      'when one of its pods ran to its end',
      onNodeA({
        status: {
          phase: 'Succeeded',
          conditions: [
            ...bound('2026-01-01T00:30:00Z'),
            { type: 'Ready', status: 'False', reason: 'PodCompleted', lastTransitionTime: '2026-01-01T00:50:00Z' },
          ],
        },
      }),
      '2026-01-01T00:50:00Z',
    ],
    ['not when a pod of a DaemonSet was bound', aDaemonPod(bound('2026-01-01T00:30:00Z')), '2026-01-01T00:20:00Z'],
  ])('%s', (_title, pod, expected) => {
    const { transitions, reported } = found([older, pod, older]);
    expect(new Date(transitions.lastOn('a') ?? 0)).toEqual(new Date(expected));
    expect(reported).toEqual([]);
  });

  test('is not known where no pod says so', () => expect(found([runningOn('a')]).transitions.lastOn('a')).toBeUndefined());
});

test.each([
  [
    'by its condition PodScheduled, in whole seconds as its creation',
    [{ type: 'PodScheduled', status: 'True' as const, lastTransitionTime: '2026-01-01T00:00:04Z' }],
    4000,
  ],
  ['by the clock where it has no such condition', [], 4700],
])('how long a pod took to be bound is known %s', (_title, conditions, tookMs) => {
  const clock = fakeClock(Date.UTC(2026, 0, 1, 0, 0, 4, 700));
  const transitions = new PodTransitions({ clock, hasSynced: () => true, hasNode: () => true, onBug: () => undefined });
  const seen: unknown[] = [];
  transitions.subscribe((transition) => seen.push(transition));
  const { metadata, spec } = runningOn('a');
  const pod = {
    metadata: { ...metadata, creationTimestamp: '2026-01-01T00:00:00Z' },
    spec,
    status: { phase: 'Running' as const, conditions },
  };
  transitions.see(pod, undefined);
  expect(seen).toMatchObject([{ kind: 'bound', tookMs }]);
});
