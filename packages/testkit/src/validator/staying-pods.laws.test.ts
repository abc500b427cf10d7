import { defaultSchedulingPolicy, type Pod, simulate } from '@karpenter/core';
import { describe, expect, test } from '@jest/globals';
import { aNode, aNodePool, aPod, aSnapshot, assortedInstanceTypes, inNamespace, labelled, requesting } from '../builders/index.ts';

const HOST = 'kubernetes.io/hostname';
const TERMS = 60;
const instanceTypes = assortedInstanceTypes(20);

/** Counts how often somebody asks for a label. */
const counted = (labels: Readonly<Record<string, string>>, count: () => void) =>
  new Proxy(labels, {
    getOwnPropertyDescriptor: (target, key) => {
      count();
      return Reflect.getOwnPropertyDescriptor(target, key);
    },
  });

/** Running pods, each with its own anti-affinity terms, which select every pod of the namespace. */
const podsApart = (count: number, onRead: () => void): readonly Pod[] =>
  Array.from({ length: count }, (_, index) => {
    const terms = Array.from({ length: TERMS }, (__, each) => ({
      topologyKey: HOST,
      labelSelector: { matchExpressions: [{ key: `k-${index}-${each}`, operator: 'NotIn' as const, values: ['x'] }] },
    }));
    const pod = aPod(requesting({ cpuMillis: 10 }), inNamespace('many'));
    return {
      metadata: { ...pod.metadata, uid: `apart-${index}`, labels: counted({ [`k-${index}-0`]: 'y' }, onRead) },
      spec: { ...pod.spec, affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } } },
      status: { phase: 'Running' },
    };
  });

const readsOfPlanning = (count: number, pending: readonly Pod[]) => {
  let reads = 0;
  const nodes = podsApart(count, () => (reads += 1)).map((pod, index) => aNode({ name: `n-${index}`, pods: [pod] }));
  const plan = simulate(aSnapshot({ nodes, pending, nodePools: [aNodePool()], instanceTypes }), defaultSchedulingPolicy);
  return { plan, reads };
};

describe('where running pods of one namespace have thousands of anti-affinity terms', () => {
  test('their labels are compared with terms in linear time', () => {
    const [few, many] = [58, 116].map((count) => readsOfPlanning(count, [aPod(requesting({ cpuMillis: 10 }))]).reads);
    expect(many).toBeLessThanOrEqual((few ?? 0) * 2.2);
  });

  test('the terms keep pods of the namespace away', () => {
    const { plan } = readsOfPlanning(58, [aPod(requesting({ cpuMillis: 10 }), inNamespace('many'), labelled({ app: 'web' }))]);
    expect([plan.plannedNodes.length, plan.placements.size]).toEqual([1, 0]);
  });

  test('and let pods of others come', () => {
    const { plan } = readsOfPlanning(58, [aPod(requesting({ cpuMillis: 10 }), inNamespace('other'))]);
    expect([plan.plannedNodes.length, plan.placements.size]).toEqual([0, 1]);
  });
});
