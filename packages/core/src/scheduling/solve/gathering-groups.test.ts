import { expect, test } from '@jest/globals';
import type { Pod } from '../../kube/index.ts';
import type { PodClass, PodSet } from '../pod-classes/pod-class.ts';
import { gatheringGroups } from './pod-groups.ts';

const memberOf = (group: string | undefined, index: number): Pod => ({
  metadata: {
    name: `pod-${index}`,
    namespace: 'ml',
    labels: group === undefined ? {} : { 'scheduling.x-k8s.io/pod-group': group },
    annotations: { 'karpenter.sh/pod-group-min-member': String(1 + (index % 3)) },
  },
  spec: { containers: [] },
});
const podSetOf = (group: string | undefined, count: number): PodSet => ({
  podClass: {} as Partial<PodClass> as PodClass,
  pods: Array.from({ length: count }, (_, index) => memberOf(group, index)),
});

test('the groups of ten thousand pods are found with pauses, each with all its pod sets and the largest size that its pods state', () => {
  const [train, plain, again] = [podSetOf('train', 6000), podSetOf(undefined, 3000), podSetOf('train', 1000)];
  const steps = gatheringGroups([train, plain, again], { nodes: [], podGroups: new Map([['ml/train', { succeeded: 2 }]]) });
  let pauses = 0;
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) pauses++;
  expect(step.value).toEqual([{ name: 'ml/train', minMember: 3, podSets: [train, again], staying: 2 }]);
  expect(pauses).toBeGreaterThanOrEqual(4);
});
