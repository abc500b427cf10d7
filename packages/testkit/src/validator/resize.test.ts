import { readFileSync } from 'node:fs';
import { defaultSchedulingPolicy, type Pod, simulate } from '@karpenter/core';
import { createWhatIf, type PodStatus } from '@karpenter/core/internal';
import { describe, expect, test } from '@jest/globals';
import { aNode, aPod, aSnapshot, named, requesting, runningOn } from '../builders/index.ts';
import { reservedAmounts } from './amounts.ts';
import { validatePlan } from './validate-plan.ts';

/** What Kubernetes answers about pods that are resized in place; recorded beside core's `pod-requests.ts`. */
interface Answer {
  readonly pod: Pick<Pod, 'spec' | 'status'>;
  readonly requests: Readonly<Record<string, number>>;
}
const recorded = new URL('../../../core/src/kube/pods/__golden__/resized-requests.json', import.meta.url);
const answers = JSON.parse(readFileSync(recorded, 'utf8')) as readonly Answer[];

test('the validator reserves for recorded pods what Kubernetes does', () => {
  const wrong = answers.filter(({ pod, requests }) => {
    const reserved = reservedAmounts(pod);
    const names = new Set([...reserved.keys(), ...Object.keys(requests)]);
    names.delete('pods');
    const unit = (name: string): number => (name === 'cpu' ? 1000 : 1);
    return [...names].some((name) => Math.abs((reserved.get(name) ?? 0) * unit(name) - (requests[name] ?? 0)) > 1e-6);
  });
  expect(wrong).toEqual([]);
});

const holding = (cpu: string, reason?: 'Deferred' | 'Infeasible'): PodStatus => ({
  phase: 'Running',
  containerStatuses: [{ name: 'main', resources: { requests: { cpu } }, allocatedResources: { cpu } }],
  ...(reason === undefined ? {} : { conditions: [{ type: 'PodResizePending', status: 'True', reason }] }),
});
/** A pod on node `n` that asks for so much, and whose containers hold something else. */
const resized = (cpuMillis: number, status: PodStatus): Pod => {
  const pod = aPod(named('resized'), requesting({ cpuMillis }), runningOn('n'));
  return { ...pod, spec: { ...pod.spec, containers: pod.spec.containers.map((each) => ({ ...each, name: 'main' })) }, status };
};
const planBesideResized = (running: Pod, pendingMillis: number) => {
  const snapshot = aSnapshot({ nodes: [aNode({ name: 'n', pods: [running] })], pending: [aPod(requesting({ cpuMillis: pendingMillis }))] });
  const found = simulate(snapshot, defaultSchedulingPolicy, () => false);
  expect(validatePlan(snapshot, defaultSchedulingPolicy, found)).toEqual([]);
  return found;
};

describe('a node of four cores with a pod that is resized in place', () => {
  test.each<[string, Pod, number]>([
    ['still holds 3.5 cores while it shrinks to 0.1: a pod of one core gets another node', resized(100, holding('3500m')), 1],
    ['has shrunk to 0.1: the pod fits', resized(100, holding('100m')), 0],
    ['waits for 3.5 cores (deferred): they are kept for it', resized(3500, holding('100m', 'Deferred')), 1],
    ['can never have 64 cores (infeasible): what it holds counts', resized(64_000, holding('100m', 'Infeasible')), 0],
  ])('%s', (_, running, newNodes) => {
    expect(planBesideResized(running, 1000).plannedNodes).toHaveLength(newNodes);
  });

  test('never gets a node by itself: only a pod that is evicted moves', () => {
    const snapshot = aSnapshot({ nodes: [aNode({ name: 'n', pods: [resized(64_000, holding('1', 'Deferred'))] })] });
    expect(simulate(snapshot, defaultSchedulingPolicy, () => false)).toMatchObject({ plannedNodes: [], rejections: [] });
  });

  test('moves, when its node goes, to where it has what it waits for', () => {
    const small = aNode({ name: 'small', allocatable: { cpu: 2000, memory: 2 ** 34, pods: 110 } });
    const nodes = [aNode({ name: 'n', pods: [resized(3500, holding('100m', 'Deferred'))] }), small];
    const moved = createWhatIf(aSnapshot({ nodes }), defaultSchedulingPolicy).ask(new Set(['n']));
    expect([moved.placements.size, moved.plannedNodes.length]).toEqual([0, 1]);
  });
});
