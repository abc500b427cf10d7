import { type ClusterSnapshot, explain, type InstanceType, type Plan, type Pod } from '@karpenter/core';
import type { ResourceClaim, ResourceSlice } from '@karpenter/core/internal';
import { describe, expect, test } from '@jest/globals';
import { aNode, anInstanceType, aSnapshot, runningOn } from '../../builders/index.ts';
import { allocated, claimOf, devicesOf, gpus, request, sliceOf, typeWith, usingClaims } from './testing/gpu-cluster.ts';
import { validatedPlan } from '../testing/validated-plan.ts';

const ZONE = 'topology.kubernetes.io/zone';
const CAPACITY_TYPE = 'karpenter.sh/capacity-type';

type Labels = Readonly<Record<string, string>>;

/** A slice of one device, for the nodes with these labels. `parts`: slices that its pool has. */
const sliceFor = (labels: Labels, name: string, parts = 1): ResourceSlice => {
  const matchExpressions = Object.entries(labels).map(([key, value]) => ({ key, operator: 'In' as const, values: [value] }));
  return sliceOf(gpus(1), {
    ...{ name, pool: { name, resourceSliceCount: parts } },
    nodeSelector: { nodeSelectorTerms: [{ matchExpressions }] },
  });
};

const all = claimOf('all', [request('r', { allocationMode: 'All' })]);
const two = typeWith('two', gpus(2));
const plain = anInstanceType({ name: 'plain' });

const inZone = (pod: Pod, zone: string): Pod => ({ ...pod, spec: { ...pod.spec, nodeSelector: { [ZONE]: zone } } });

interface Asked {
  readonly type: InstanceType;
  readonly slices: readonly ResourceSlice[];
  readonly pending: readonly Pod[];
  readonly claims?: readonly ResourceClaim[];
}

const planFor = ({ type, slices, pending, claims = [all] }: Asked): Plan => {
  const snapshot: ClusterSnapshot = aSnapshot({ instanceTypes: [type], pending, devices: devicesOf(claims, slices) });
  return validatedPlan(snapshot);
};

/** What planned nodes have to be of these labels, and why pods are rejected. */
const answer = ({ plannedNodes, rejections }: Plan): readonly string[] => [
  ...plannedNodes.map(({ claim }) =>
    claim.spec.requirements
      .filter(({ key }) => key === ZONE || key === CAPACITY_TYPE)
      .filter(({ operator, values }) => operator === 'NotIn' || values?.length === 1)
      .map(({ operator, values = [] }) => `${operator} ${values.join()}`)
      .join(' and '),
  ),
  ...rejections.map(explain),
];

describe('a request for all devices on a planned node', () => {
  test.each<[when: string, cluster: Pick<Asked, 'type' | 'slices'>, expected: readonly string[]]>([
    ['a slice is for nodes with a label that it will not have', { type: two, slices: [sliceFor({ rack: 'r1' }, 'rack')] }, ['']],
    ['the pool of such a slice is incomplete', { type: two, slices: [sliceFor({ rack: 'r1' }, 'rack', 2)] }, ['']],
    ['a slice is for the nodes of one zone', { type: two, slices: [sliceFor({ [ZONE]: 'test-zone-1' }, 'fabric')] }, ['NotIn test-zone-1']],
    [
      'the pool of such a slice is incomplete',
      { type: two, slices: [sliceFor({ [ZONE]: 'test-zone-1' }, 'fabric', 2)] },
      ['NotIn test-zone-1'],
    ],
    [
      'two zones have one',
      { type: two, slices: [1, 2].map((zone) => sliceFor({ [ZONE]: `test-zone-${zone}` }, `fabric-${zone}`)) },
      ['NotIn test-zone-1,test-zone-2'],
    ],
    [
      'every zone has one',
      { type: two, slices: [1, 2, 3].map((zone) => sliceFor({ [ZONE]: `test-zone-${zone}` }, `fabric-${zone}`)) },
      ['In test-zone-3'],
    ],
    [
      'a slice is for some nodes of one zone',
      { type: two, slices: [sliceFor({ [ZONE]: 'test-zone-1', [CAPACITY_TYPE]: 'spot' }, 'fabric')] },
      ['NotIn test-zone-1'],
    ],
    ['machines bring none', { type: plain, slices: [sliceFor({ [ZONE]: 'test-zone-2' }, 'fabric')] }, ['In test-zone-2']],
  ])('%s › is met', (_, cluster, expected) => {
    expect(answer(planFor({ ...cluster, pending: [usingClaims(all)] }))).toEqual(expected);
  });

  test('the pod is for the zone of a slice › it has the device of the slice too', () => {
    const one = claimOf('one', [request('r')]);
    const pending = [inZone(usingClaims(all), 'test-zone-1'), inZone(usingClaims(one), 'test-zone-1')];
    const slices = [sliceFor({ [ZONE]: 'test-zone-1' }, 'fabric')];
    expect(planFor({ type: plain, slices, pending: pending.slice(0, 1) }).plannedNodes).toHaveLength(1);
    const both = planFor({ type: two, slices, pending, claims: [all, one] });
    expect(both.plannedNodes.map(({ pods }) => pods.length)).toEqual([1, 1]);
  });

  test('the device of a zone is in use › the node is in another', () => {
    const slices = [1, 2].map((zone) => sliceFor({ [ZONE]: `test-zone-${zone}` }, zone === 1 ? 'pool' : 'other'));
    const user = runningOn('here')(usingClaims(claimOf('held', [request('r')])));
    const held: ResourceClaim = allocated(claimOf('held', [request('r')]), ['gpu-0'], [user]);
    const node = aNode({ name: 'here', pods: [user], labels: { [ZONE]: 'test-zone-1' } });
    const devices = devicesOf([all, held], slices);
    const snapshot = aSnapshot({ nodes: [node], instanceTypes: [plain], pending: [usingClaims(all)], devices });
    const plan = validatedPlan(snapshot);
    expect(answer(plan)).toEqual(['In test-zone-2']);
  });

  test.each<[when: string, slice: ResourceSlice]>([
    ['the pod is for the zone of an incomplete pool', sliceFor({ [ZONE]: 'test-zone-1' }, 'fabric', 2)],
    [
      'an incomplete pool is for all nodes',
      sliceOf(gpus(1), { name: 'fabric', allNodes: true, pool: { name: 'fabric', resourceSliceCount: 2 } }),
    ],
  ])('%s › is rejected, and the pool is named', (_, slice) => {
    const [text] = answer(planFor({ type: two, slices: [slice], pending: [inZone(usingClaims(all), 'test-zone-1')] }));
    expect(text).toContain(
      'of 3, 1 is of a pool that is incomplete, 2 left, and no request for all devices is met beside pool gpu.example.com/fabric, which is incomplete',
    );
  });

  test('devices that the pod cannot reach are not counted in its rejection', () => {
    const nine = claimOf('nine', [request('r', { count: 9 })]);
    const slice = sliceFor({ [ZONE]: 'test-zone-2' }, 'fabric');
    const [text] = answer(planFor({ type: two, slices: [slice], pending: [inZone(usingClaims(nine), 'test-zone-1')], claims: [nine] }));
    expect(text).toContain('wants 9 devices of DeviceClass gpu: of 2, 2 left');
  });
});
