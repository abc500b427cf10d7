import {
  defaultSchedulingPolicy,
  type InstanceType,
  type NodeClaim,
  type NodePool,
  type Plan,
  type Pod,
  type RequirementSpec,
  type SchedulingPolicy,
  simulate,
} from '@karpenter/core';
import type { NodeView, TopologySpreadConstraint } from '@karpenter/core/internal';
import { describe, expect, test } from '@jest/globals';
import {
  aNode,
  aNodePool,
  anInstanceType,
  aPod,
  aSnapshot,
  inZone,
  labelled,
  requesting,
  catalogWithReservations,
  withNodeSelector,
  spreadOver,
} from '../builders/index.ts';
import type { OfferingOptions, SnapshotOptions } from '../builders/index.ts';
import { validatePlan } from './validate-plan.ts';

const policy: SchedulingPolicy = { ...defaultSchedulingPolicy, labelCatalog: catalogWithReservations };
const reservationId = 'karpenter.test/reservation-id';

const reserved = (id: string, remaining: number, zone = 'test-zone-1'): OfferingOptions => ({
  zone,
  capacityType: 'reserved',
  pricePerHour: 0.001,
  reservation: { id, remaining },
});

const bought: OfferingOptions = { zone: 'test-zone-1', capacityType: 'on-demand', pricePerHour: 0.2 };

const fourCpus = (...offerings: readonly OfferingOptions[]): InstanceType => anInstanceType({ cpus: 4, offerings: [...offerings, bought] });

const large = (count: number): readonly Pod[] => Array.from({ length: count }, () => aPod(requesting({ cpuMillis: 3000 })));

const planWithReservations = (cluster: SnapshotOptions, how: SchedulingPolicy = policy): Plan => {
  const snapshot = aSnapshot(cluster);
  const answer = simulate(snapshot, how, () => false);
  expect(validatePlan(snapshot, how, answer)).toEqual([]);
  return answer;
};

const asked = ({ plannedNodes }: Plan, key: string): readonly string[] =>
  plannedNodes.map(({ claim }) => claim.spec.requirements.find((each) => each.key === key)?.values?.join() ?? '-').sort();

const { providerId: _, ...unclaimed } = aNode({ name: 'unclaimed', isMarkedForDeletion: true });

/** A node that takes no pods, with a claim that asks for this; without a provider's id it has not been launched. */
const claimed = (requirements: readonly RequirementSpec[], providerId: string): NodeView => {
  const nodeClassRef = { group: 'karpenter.test', kind: 'TestNodeClass', name: 'default' };
  const claim: NodeClaim = {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: { name: 'coming' },
    spec: { requirements, nodeClassRef },
  };
  return { ...unclaimed, name: 'coming', claim, ...(providerId === '' ? {} : { providerId }) };
};

describe('reserved capacity', () => {
  test('is used first, and what does not find room in it is bought', () => {
    const answer = planWithReservations({ pending: large(3), instanceTypes: [fourCpus(reserved('r-1', 2))] });
    expect(asked(answer, 'karpenter.sh/capacity-type')).toEqual(['on-demand', 'reserved', 'reserved']);
    expect(asked(answer, reservationId)).toEqual(['-', 'r-1', 'r-1']);
  });

  test.each<[string, readonly RequirementSpec[], string, readonly string[]]>([
    [
      'is not promised twice: claims that have not launched yet count',
      [{ key: reservationId, operator: 'In', values: ['r-1'] }],
      '',
      ['-', 'r-1'],
    ],
    [
      'is found among what else a claim asks for',
      [
        { key: 'team', operator: 'In', values: ['r-1', 'r-1'] },
        { key: reservationId, operator: 'In', values: ['r-1'] },
      ],
      '',
      ['-', 'r-1'],
    ],
    [
      'is not taken by a claim that launched: the provider has counted it',
      [{ key: reservationId, operator: 'In', values: ['r-1'] }],
      'test:///1',
      ['r-1', 'r-1'],
    ],
    ['is not taken by a claim that avoids it', [{ key: reservationId, operator: 'NotIn', values: ['r-1'] }], '', ['r-1', 'r-1']],
    ['is not taken by a claim with its name in another label', [{ key: 'team', operator: 'In', values: ['r-1'] }], '', ['r-1', 'r-1']],
  ])('%s', (...[, requirements, providerId, expected]) => {
    const nodes = [claimed(requirements, providerId), unclaimed];
    expect(asked(planWithReservations({ pending: large(2), nodes, instanceTypes: [fourCpus(reserved('r-1', 2))] }), reservationId)).toEqual(
      expected,
    );
  });

  test('that two offerings describe differently has room for the smaller number', () => {
    const types = [fourCpus(reserved('r-1', 3), reserved('r-1', 1, 'test-zone-2'))];
    expect(asked(planWithReservations({ pending: large(3), instanceTypes: types }), reservationId)).toEqual(['-', '-', 'r-1']);
  });

  test('is shared by the pools that may launch into it', () => {
    const nodePools = [aNodePool({ name: 'a', limits: { nodes: '1' } }), aNodePool({ name: 'b' })];
    const answer = planWithReservations({ pending: large(3), nodePools, instanceTypes: [fourCpus(reserved('r-1', 2))] });
    expect(asked(answer, reservationId)).toEqual(['-', 'r-1', 'r-1']);
    expect(answer.plannedNodes.map(({ nodePoolName }) => nodePoolName).sort()).toEqual(['a', 'b', 'b']);
  });

  test('that is used up in a heavy pool does not keep pods from the lighter pools: no ReservedOfferingError', () => {
    const only = (name: string, weight: number, ...capacityTypes: readonly string[]): NodePool =>
      aNodePool({ name, weight, requirements: [{ key: 'karpenter.sh/capacity-type', operator: 'In', values: capacityTypes }] });
    const answer = planWithReservations({
      pending: large(3),
      nodePools: [only('reserved', 50, 'reserved'), only('bought', 10, 'on-demand')],
      instanceTypes: [fourCpus(reserved('r-1', 1))],
    });
    expect(answer.rejections).toEqual([]);
    expect(answer.plannedNodes.map(({ nodePoolName }) => nodePoolName).sort()).toEqual(['bought', 'bought', 'reserved']);
  });

  test('of a light pool does not come before what a heavier pool buys', () => {
    const heavy = { nodePool: aNodePool({ name: 'heavy', weight: 50 }), instanceTypes: [fourCpus()], usage: {} };
    const light = { nodePool: aNodePool({ name: 'light' }), instanceTypes: [fourCpus(reserved('r-1', 1))], usage: {} };
    const answer = planWithReservations({ pending: large(1), nodePoolViews: [light, heavy] });
    expect(answer.plannedNodes.map(({ nodePoolName }) => nodePoolName)).toEqual(['heavy']);
  });

  test('that pods ask for by name is what they get, and nothing else when there is none left', () => {
    const pending = ['r-2', 'r-2'].map((id) => aPod(requesting({ cpuMillis: 3000 }), withNodeSelector({ [reservationId]: id })));
    const answer = planWithReservations({ pending, instanceTypes: [fourCpus(reserved('r-1', 5), reserved('r-2', 1))] });
    expect(asked(answer, reservationId)).toEqual(['r-2']);
    expect(answer.rejections).toHaveLength(1);
  });

  test('in one zone leaves a spread over zones as even as it must be', () => {
    const threeZones = ['test-zone-1', 'test-zone-2', 'test-zone-3'].map((zone) => ({ ...bought, zone }));
    const type = anInstanceType({ cpus: 4, offerings: [reserved('r-1', 6), ...threeZones] });
    const spread: TopologySpreadConstraint = {
      maxSkew: 1,
      topologyKey: 'topology.kubernetes.io/zone',
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchLabels: { app: 'web' } },
    };
    const web = (): Pod => aPod(requesting({ cpuMillis: 3000 }), labelled({ app: 'web' }), spreadOver(spread));
    const answer = planWithReservations({ pending: [web(), web(), web(), web()], instanceTypes: [type] });
    expect(asked(answer, 'topology.kubernetes.io/zone').filter((zone) => zone === 'test-zone-1').length).toBeLessThanOrEqual(2);
    expect(asked(answer, reservationId)).toContain('r-1');
  });

  test('goes to the pods whose zone it is in', () => {
    const pending = [aPod(requesting({ cpuMillis: 3000 }), inZone('test-zone-1')), ...large(1)];
    const answer = planWithReservations({ pending, instanceTypes: [fourCpus(reserved('r-1', 1, 'test-zone-2'))] });
    expect(asked(answer, reservationId)).toEqual(['-', 'r-1']);
  });

  test.each<[string, SchedulingPolicy]>([
    ['the policy says so', { ...policy, usesReservations: false }],
    ['the provider has no label to ask for it by', defaultSchedulingPolicy],
  ])('is left alone where %s', (_, how) => {
    const answer = planWithReservations({ pending: large(1), instanceTypes: [fourCpus(reserved('r-1', 1))] }, how);
    expect(asked(answer, 'karpenter.sh/capacity-type')).toEqual(['on-demand']);
  });

  test('is one machine that is kept for us, so that minValues does not bind there; the claim says so', () => {
    const nodePool = aNodePool({ requirements: [{ key: 'node.kubernetes.io/instance-type', operator: 'Exists', minValues: 2 }] });
    const types = [fourCpus(reserved('r-1', 1)), anInstanceType({ cpus: 8 })];
    const [planned] = planWithReservations({ pending: large(1), nodePools: [nodePool], instanceTypes: types }).plannedNodes;
    expect(planned?.claim.annotations['karpenter.sh/nodeclaim-min-values-relaxed']).toBe('true');
    expect(planned?.claim.spec.requirements).toContainEqual({
      key: 'node.kubernetes.io/instance-type',
      operator: 'In',
      values: ['type-4'],
      minValues: 1,
    });
  });

  test('counts towards the limits of its pool', () => {
    const answer = planWithReservations({
      pending: large(3),
      nodePools: [aNodePool({ limits: { nodes: '2' } })],
      instanceTypes: [fourCpus(reserved('r-1', 1))],
    });
    expect(asked(answer, reservationId)).toEqual(['-', 'r-1']);
    expect(answer.rejections).toHaveLength(1);
  });
});
