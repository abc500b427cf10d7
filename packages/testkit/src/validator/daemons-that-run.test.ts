import type { Pod } from '@karpenter/core';
import { describe, expect, test } from '@jest/globals';
import { aDaemonSet, aNode, anInstanceType, aPod, aSnapshot, requesting, runningOn } from '../builders/index.ts';
import { validatedPlan } from './testing/validated-plan.ts';

const daemonSet = aDaemonSet('logs', requesting({ cpuMillis: 100 }));

/** A pod of the DaemonSet that runs, with what was put on top of the template. */
const daemonPod = (cpuMillis: number, created: string): Pod => {
  const pod = runningOn('there')(aPod(requesting({ cpuMillis })));
  const owner = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'logs', uid: 'daemonset-logs', controller: true };
  return { ...pod, metadata: { ...pod.metadata, namespace: 'kube-system', creationTimestamp: created, ownerReferences: [owner] } };
};

const instanceTypes = [2, 4].map((cpus) => anInstanceType({ cpus }));

describe('daemon overhead is what the newest pod of the DaemonSet asks for', () => {
  test.each<[string, readonly Pod[], string]>([
    ['the template where none runs', [], 'type-2'],
    ['more than the template', [daemonPod(800, '2026-01-01T00:00:00Z')], 'type-4'],
    ['the newest of several', [daemonPod(800, '2026-01-01T00:00:00Z'), daemonPod(100, '2026-01-02T00:00:00Z')], 'type-2'],
  ])('%s', (_, running, name) => {
    const node = aNode({ name: 'there', allocatable: { cpu: 1000, memory: 2 ** 30, pods: 10 }, pods: running });
    const snapshot = aSnapshot({ instanceTypes, daemonSets: [daemonSet], nodes: [node], pending: [aPod(requesting({ cpuMillis: 1500 }))] });
    const plan = validatedPlan(snapshot);
    expect(plan.plannedNodes.map(({ cheapest }) => cheapest.instanceType.name)).toEqual([name]);
  });
});
