import { describe, expect, test } from '@jest/globals';
import { type ClusterSnapshot, defaultSchedulingPolicy, type Pod, simulate } from '@karpenter/core';
import type { NodeView } from '@karpenter/core/internal';
import { aNode, aNodePool, anInstanceType, aPod, aSnapshot, requesting } from '../index.ts';

const GIB = 1024 ** 3;

const withSpec = (pod: Pod, spec: Partial<Pod['spec']>): Pod => ({ ...pod, spec: { ...pod.spec, ...spec } });
const labelled = (pod: Pod, labels: Readonly<Record<string, string>>): Pod => ({ ...pod, metadata: { ...pod.metadata, labels } });
const podNamed = (name: string): Pod => ({ ...aPod(requesting({ cpuMillis: 500 })), metadata: { name, namespace: 'default', uid: name } });

/** Pods and nodes that use `key` as a label in every way there is. */
const using = (key: string): ClusterSnapshot => {
  const selecting = (name: string, operator: 'Exists' | 'DoesNotExist' | 'NotIn' | 'In', values?: readonly string[]): Pod =>
    withSpec(podNamed(name), {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [{ key, operator, ...(values === undefined ? {} : { values }) }] }],
          },
        },
      },
    });
  const spreading = (name: string): Pod =>
    withSpec(labelled(podNamed(name), { app: 'spread' }), {
      topologySpreadConstraints: [
        { maxSkew: 1, topologyKey: key, whenUnsatisfiable: 'DoNotSchedule', labelSelector: { matchLabels: { app: 'spread' } } },
      ],
    });
  const apart = (name: string): Pod =>
    withSpec(podNamed(name), {
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchExpressions: [{ key, operator: 'Exists' }] } },
          ],
        },
      },
    });
  const node = (name: string, labels: Readonly<Record<string, string>>): NodeView =>
    aNode({ name, labels, allocatable: { cpu: 4000, memory: 8 * GIB, pods: 20 } });
  return aSnapshot({
    nodePools: [aNodePool()],
    instanceTypes: [anInstanceType({ cpus: 4 })],
    nodes: [node('with', { [key]: 'a' }), node('without', {})],
    pending: [
      withSpec(podNamed('selector'), { nodeSelector: { [key]: 'a' } }),
      selecting('exists', 'Exists'),
      selecting('missing', 'DoesNotExist'),
      selecting('other', 'NotIn', ['a']),
      selecting('in', 'In', ['b']),
      spreading('spread-1'),
      spreading('spread-2'),
      apart('apart-1'),
      labelled(apart('apart-2'), { [key]: 'yes' }),
      podNamed('plain'),
    ],
  });
};

/** Where each pod goes, in words. */
const outcomes = (snapshot: ClusterSnapshot): readonly string[] => {
  const plan = simulate(snapshot, defaultSchedulingPolicy, () => false);
  const placed = [...plan.placements].flatMap(([node, pods]) => pods.map(({ metadata }) => `${metadata.name} on ${node}`));
  const created = plan.plannedNodes.flatMap(({ pods }) => pods.map(({ metadata }) => `${metadata.name} on a new node`));
  const rejected = plan.rejections.map(({ pod, reason }) => `${pod.metadata.name} rejected: ${reason.kind}`);
  return [...placed, ...created, ...rejected].sort();
};

describe('a label called like what every object has', () => {
  const plain = outcomes(using('color'));

  test.each(Object.getOwnPropertyNames(Object.prototype))('%s is a label like any other', (key) => {
    expect(outcomes(using(key))).toEqual(plain);
  });
});

describe('an odd node costs the others nothing', () => {
  const pending = [podNamed('web')];
  const good = aNode({ name: 'good', allocatable: { cpu: 4000, memory: 8 * GIB, pods: 20 } });
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`example.com/label-${index}`, 'x'.repeat(63)]));
  const cases: Readonly<Record<string, Partial<NodeView>>> = {
    'five thousand labels': { labels: many },
    'the host name of another': { labels: { 'kubernetes.io/hostname': 'good' } },
    'room for 1e18 of everything': { allocatable: { cpu: 1e18, memory: 1e18, pods: 1e18, 'example.com/odd': 1e18 } },
    'no room': { allocatable: {} },
    'less than no room': { allocatable: { cpu: -1, memory: -1, pods: -1 } },
    'room that is no number': { allocatable: { cpu: Number.NaN, memory: Number.POSITIVE_INFINITY, pods: 1 } },
    'a thousand taints': { taints: Array.from({ length: 1000 }, (_, index) => ({ key: `k${index}`, effect: 'NoSchedule' as const })) },
    'a thousand resources': { allocatable: Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`example.com/r${index}`, 1])) },
    'no name of a pool that exists': { nodePoolName: 'nowhere', labels: { 'karpenter.sh/nodepool': 'nowhere' } },
  };

  test.each(Object.entries(cases))('with %s', (_name, odd) => {
    const nodes = [good, { ...aNode({ name: 'odd' }), taints: [{ key: 'odd', effect: 'NoSchedule' as const }], ...odd }];
    const outcome = outcomes(aSnapshot({ pending, nodes, nodePools: [] }));
    expect(outcome).toHaveLength(1);
    expect(outcome[0]).toMatch(/^web on (good|odd)$/);
  });
});

describe('requirement lists of pools', () => {
  const types = Array.from({ length: 200 }, (_, index) => anInstanceType({ name: `type-${index}`, cpus: 4 }));
  const snapshotOf = (values: number): ClusterSnapshot => {
    const listed = Array.from({ length: values }, (_, index) => `odd-${index}`);
    const requirements = [{ key: 'node.kubernetes.io/instance-type', operator: 'NotIn' as const, values: listed }];
    return aSnapshot({ pending: [podNamed('web')], nodePools: [aNodePool({ requirements })], instanceTypes: types });
  };

  test('with 10,000 values give the same plan as with ten', () => {
    expect(outcomes(snapshotOf(10_000))).toEqual(outcomes(snapshotOf(10)));
  });

  test('with more values than a plan should read leave the pool out, with the figure', () => {
    const plan = simulate(snapshotOf(50_001), defaultSchedulingPolicy, () => false);
    expect(plan.leftOut).toMatchObject([{ kind: 'NodePool', problem: { value: '50001 values' } }]);
  });
});
