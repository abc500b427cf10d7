import { type ClusterSnapshot, defaultSchedulingPolicy, explain, type Pod, type SchedulingPolicy, simulate } from '@karpenter/core';
import { createWhatIf } from '@karpenter/core/internal';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { aNode, aNodePool, aPod, aSnapshot, assortedInstanceTypes, pods, requesting } from '../builders/index.ts';
import type { PodTrait } from '../builders/index.ts';
import { validatePlan } from './validate-plan.ts';
import { podsPlacedBy } from './testing/validated-plan.ts';

const instanceTypes = assortedInstanceTypes(24);
const policies: readonly SchedulingPolicy[] = [defaultSchedulingPolicy, { ...defaultSchedulingPolicy, packing: 'first-fit' }];
const large = requesting({ cpuMillis: 1700 });

/** A member of a pod group that needs so many. */
const inGroup =
  (name: string, minMember: number | string): PodTrait =>
  (pod) => ({
    ...pod,
    metadata: {
      ...pod.metadata,
      labels: { ...pod.metadata.labels, 'scheduling.x-k8s.io/pod-group': name },
      annotations: { ...pod.metadata.annotations, 'karpenter.sh/pod-group-min-member': String(minMember) },
    },
  });

/** A cluster with a limit of `nodes` nodes. Each holds one large pod. */
const withRoomFor = (nodes: number, pending: readonly Pod[]): ClusterSnapshot =>
  aSnapshot({
    pending,
    instanceTypes: instanceTypes.filter(({ capacity }) => capacity['cpu'] === 2000),
    nodePools: [aNodePool({ limits: { nodes: String(nodes) } })],
  });

const groups = fc.array(
  fc.record({
    group: fc.constantFrom('a', 'b', 'c', undefined),
    minMember: fc.integer({ min: 1, max: 5 }),
    cpuMillis: fc.constantFrom(400, 1700),
    priority: fc.constantFrom(0, 0, 5),
  }),
  { maxLength: 20 },
);

describe.each(policies)('pod groups ($packing)', (policy) => {
  test('each has the places that it must have, or gets none', () => {
    fc.assert(
      fc.property(groups, fc.integer({ min: 0, max: 8 }), fc.nat(3), (members, nodeLimit, running) => {
        const made = members.map(({ group, minMember, cpuMillis, priority }) => {
          const pod = aPod(requesting({ cpuMillis }), ...(group === undefined ? [] : [inGroup(group, minMember)]));
          return { ...pod, spec: { ...pod.spec, priority } };
        });
        const node = aNode({ nodePoolName: 'default', pods: made.slice(0, running) });
        const snapshot = { ...withRoomFor(nodeLimit, made.slice(running)), nodes: [node] };
        expect(validatePlan(snapshot, policy, simulate(snapshot, policy))).toEqual([]);
        const gone = { ...policy, without: new Set([node.name]) };
        expect(validatePlan(snapshot, gone, simulate(snapshot, gone)).filter(({ rule }) => rule === 'pod-group')).toEqual([]);
      }),
      { numRuns: 25 },
    );
  });

  test('a group that limits leave no room for gets none of it, and other pods do', () => {
    const group = pods(4, large, inGroup('train', 4));
    const other = aPod(requesting({ cpuMillis: 1600 }));
    const plan = simulate(withRoomFor(3, [...group, other]), policy);
    expect(podsPlacedBy(plan)).toEqual([other]);
    expect(plan.rejections).toHaveLength(4);
    expect(plan.rejections.map(explain)[0]).toMatch(
      /waits for its pod group: 4 pods of default\/train must have a place together, and 3 would. Pod .* found no place: NodePool default: its limit of 3 nodes is reached/,
    );
  });

  test('of two groups that have room for one only, one gets all of it', () => {
    const plan = simulate(withRoomFor(4, [...pods(3, large, inGroup('a', 3)), ...pods(3, large, inGroup('b', 3))]), policy);
    expect(podsPlacedBy(plan)).toHaveLength(3);
    expect(new Set(podsPlacedBy(plan).map(({ metadata }) => metadata.labels?.['scheduling.x-k8s.io/pod-group'])).size).toBe(1);
  });

  test('of many groups, the last pod of each small, as many as have room are whole', () => {
    const groupOf = (size: number): readonly Pod[] => [
      ...pods(4, requesting({ cpuMillis: 1700 + size }), inGroup(`group-${size}`, 5)),
      aPod(requesting({ cpuMillis: 1100 }), inGroup(`group-${size}`, 5)),
    ];
    const pending = Array.from({ length: 14 }, (_, size) => groupOf(size)).flat();
    expect(podsPlacedBy(simulate(withRoomFor(15, pending), policy))).toHaveLength(15);
  });

  test('a group whose pods are not all there waits for them', () => {
    const plan = simulate(withRoomFor(9, pods(2, large, inGroup('train', 3))), policy);
    expect(podsPlacedBy(plan)).toEqual([]);
    expect(plan.rejections.map(explain)[0]).toContain('3 pods of default/train must have a place together, and there are 2');
  });

  test('pods that run count, and pods beyond the minimum may be left over', () => {
    const running = aNode({ nodePoolName: 'default', pods: pods(2, large, inGroup('train', 3)) });
    const snapshot = { ...withRoomFor(1, pods(3, large, inGroup('train', 3))), nodes: [running] };
    expect(podsPlacedBy(simulate(snapshot, policy))).toHaveLength(1);
  });
});

describe('a PodGroup object', () => {
  const { annotations: _, ...metadata } = inGroup('train', 0)(aPod()).metadata;
  const labelled: PodTrait = (pod) => ({ ...pod, metadata: { ...pod.metadata, labels: metadata.labels ?? {} } });
  const train = (minMember: number, succeeded = 0) => new Map([['default/train', { minMember, succeeded }]]);

  test('keeps pods with its label together, without an annotation', () => {
    const snapshot = { ...withRoomFor(3, pods(4, large, labelled)), podGroups: train(4) };
    const plan = simulate(snapshot, defaultSchedulingPolicy);
    expect(podsPlacedBy(plan)).toEqual([]);
    expect(podsPlacedBy(simulate({ ...snapshot, podGroups: train(3) }, defaultSchedulingPolicy))).toHaveLength(3);
    expect(plan.rejections.map(explain)[0]).toContain('4 pods of default/train must have a place together, and 3 would');
  });

  test('whose other members have succeeded › lets the last one run', () => {
    const retried = pods(1, large, labelled);
    const placedWith = (succeeded: number) =>
      podsPlacedBy(simulate({ ...withRoomFor(1, retried), podGroups: train(4, succeeded) }, defaultSchedulingPolicy));
    expect([placedWith(2).length, placedWith(3).length]).toEqual([0, 1]);
  });
});

test('of a group that is restarted, pods that are being deleted do not count: its new pods wait for all their places', () => {
  const old = pods(3, requesting({ cpuMillis: 100 }), inGroup('train', 3)).map((pod) => ({
    ...pod,
    metadata: { ...pod.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' },
  }));
  const nodes = [aNode({ nodePoolName: 'default', pods: old, allocatable: { cpu: 400, memory: 2 ** 33, pods: 10 } })];
  const placedWith = (nodeLimit: number) =>
    podsPlacedBy(simulate({ ...withRoomFor(nodeLimit, pods(3, large, inGroup('train', 3))), nodes }, defaultSchedulingPolicy)).length;
  expect([placedWith(2), placedWith(3)]).toEqual([0, 3]);
});

test('a size that is no number keeps the group waiting, and says so', () => {
  const plan = simulate(withRoomFor(9, pods(2, large, inGroup('train', 'two'))), defaultSchedulingPolicy);
  expect(plan.rejections.map(explain)[0]).toContain(
    'the annotation karpenter.sh/pod-group-min-member of default/train is no whole number above zero',
  );
});

test('a node that carries a member of a running group is not removed where the member would have no place', () => {
  const [first, ...others] = pods(3, large, inGroup('train', 3));
  const nodes = [
    aNode({ name: 'a', nodePoolName: 'default', pods: first === undefined ? [] : [first] }),
    aNode({ nodePoolName: 'default', pods: others, allocatable: { cpu: 3400, memory: 2 ** 33, pods: 10 } }),
  ];
  const whatIf = createWhatIf(
    aSnapshot({ nodes, instanceTypes, nodePools: [aNodePool({ limits: { nodes: '1' } })] }),
    defaultSchedulingPolicy,
  );
  expect(whatIf.ask(new Set(['a'])).rejections.map(({ pod }) => pod)).toEqual([first]);
});
