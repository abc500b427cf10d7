import { explain, labels, simulate } from '@karpenter/core';
import { describe, expect, test } from '@jest/globals';
import { aNode, aPod, aSnapshot, annotated, labelled, nextTo, ownedBy, requesting, runningOn } from '../builders/index.ts';
import type { PodTrait } from '../builders/index.ts';
import { validatedPlan } from './testing/validated-plan.ts';

const web = labelled({ app: 'web' });
const besideWeb = nextTo({ topologyKey: labels.hostname, labelSelector: { matchLabels: { app: 'web' } } });

describe('pods that stay on a node which is being deleted count for affinity until they go', () => {
  test.each<[string, PodTrait]>([
    ['a pod that must not be disrupted', annotated({ 'karpenter.sh/do-not-disrupt': 'true' })],
    ['a pod of a DaemonSet', ownedBy('DaemonSet')],
  ])('%s: one that has to share its host is not the first of its kind', (_, staying) => {
    const node = aNode({ name: 'leaving', isMarkedForDeletion: true, pods: [aPod(web, staying, runningOn('leaving'))] });
    const snapshot = aSnapshot({ nodes: [node], pending: [aPod(web, besideWeb, requesting({ cpuMillis: 500 }))] });
    const plan = validatedPlan(snapshot);
    expect(plan.rejections.map(explain)).toEqual([expect.stringContaining('pod affinity over kubernetes.io/hostname leaves no domain')]);
  });

  test('a pod that moves counts nowhere: the pending one may be the first again', () => {
    const node = aNode({ name: 'leaving', isMarkedForDeletion: true, pods: [aPod(web, runningOn('leaving'))] });
    const plan = simulate(aSnapshot({ nodes: [node], pending: [aPod(web, besideWeb, requesting({ cpuMillis: 500 }))] }));
    expect(plan.rejections).toEqual([]);
  });
});
