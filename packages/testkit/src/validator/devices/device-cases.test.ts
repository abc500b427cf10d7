import { type ClusterSnapshot, defaultSchedulingPolicy, explain, type InstanceType, type Plan } from '@karpenter/core';
import { deviceViewOf, type ResourceClaim } from '@karpenter/core/internal';
import { describe, expect, test } from '@jest/globals';
import { aNode, anInstanceType, aSnapshot, runningOn } from '../../builders/index.ts';
import {
  allocated,
  claimOf,
  devicesOf,
  DRIVER,
  gpus,
  nodeOnItsWay,
  request,
  sliceOf,
  typeWith,
  usingClaims,
} from './testing/gpu-cluster.ts';
import { validatedPlan } from '../testing/validated-plan.ts';

/* Cases of the original's `provisioning/dra_test.go`, by the letters in its titles, that no other test here has. */

const NIC = 'nic.example.com';
const DRIVERS = 'karpenter.sh/requested-dra-drivers';
const inZone = (zone: string): object => ({
  nodeSelector: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: [zone] }] }] },
});
const claim = claimOf('a', [request('r')]);
const oneGpu = typeWith('one', gpus(1));
const plain = anInstanceType({ name: 'plain' });

const planWithout = (snapshot: ClusterSnapshot, without: readonly string[] = []): Plan => {
  const policy = { ...defaultSchedulingPolicy, without: new Set(without) };
  return validatedPlan(snapshot, policy);
};

/** `existing` node names that got pods, and the types and zones of planned nodes. */
const places = ({ placements, plannedNodes, rejections }: Plan) => ({
  existing: [...placements.keys()],
  planned: plannedNodes.map(({ cheapest }) => `${cheapest.instanceType.name} ${cheapest.offering.zone}`),
  rejected: rejections.length,
});

const askedOf = (
  instanceTypes: readonly InstanceType[],
  slices: Parameters<typeof devicesOf>[1] = [],
  claims: readonly ResourceClaim[] = [claim],
) => aSnapshot({ instanceTypes, pending: [usingClaims(...claims)], devices: devicesOf(claims, slices) });

describe('the annotation of drivers', () => {
  test('is missing where no device is claimed (A3), or the template needed no claim (U4)', () => {
    const pod = usingClaims();
    const made = { ...pod, spec: { ...pod.spec, resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: 'gpu' }] } };
    for (const pending of [pod, { ...made, status: { resourceClaimStatuses: [{ name: 'gpu' }] } }]) {
      const { plannedNodes } = planWithout(aSnapshot({ instanceTypes: [oneGpu], pending: [pending], devices: devicesOf([]) }));
      expect(plannedNodes.map((node) => node.claim.annotations[DRIVERS])).toEqual([undefined]);
    }
  });

  test('names each driver whose devices were allocated (G1)', () => {
    const both = claimOf('both', [request('gpu'), request('nic', { deviceClassName: 'nic' })]);
    const templates = [DRIVER, NIC].map((driver) => ({ driver, pool: driver, devices: gpus(1) }));
    const classes = [
      ['gpu', DRIVER],
      ['nic', NIC],
    ].map(([name = '', driver = '']) => ({
      metadata: { name },
      spec: { selectors: [{ cel: { expression: `device.driver == "${driver}"` } }] },
    }));
    const devices = deviceViewOf({ deviceClasses: classes, resourceClaims: [both], resourceClaimTemplates: [], resourceSlices: [] });
    const type = typeWith('both', [], { resourceSliceTemplates: templates });
    const { plannedNodes } = planWithout(aSnapshot({ instanceTypes: [type], pending: [usingClaims(both)], devices }));
    expect(plannedNodes.map((node) => node.claim.annotations[DRIVERS])).toEqual([`${DRIVER},${NIC}`]);
  });
});

describe('a pod with a claim has no place', () => {
  test('where claims are ignored (N1)', () => {
    const snapshot = aSnapshot({ instanceTypes: [oneGpu], pending: [usingClaims(claim)] });
    expect(places(planWithout(snapshot))).toEqual({ existing: [], planned: [], rejected: 1 });
  });

  test('where no type has the device (U2), or only types that it does not run on (X3)', () => {
    expect(places(planWithout(askedOf([plain])))).toMatchObject({ planned: [], rejected: 1 });
    const arm = { ...anInstanceType({ name: 'arm', arch: 'arm64' }), dynamicResources: oneGpu.dynamicResources };
    const pod = usingClaims(claim);
    const pending = [{ ...pod, spec: { ...pod.spec, nodeSelector: { 'kubernetes.io/arch': 'amd64' } } }];
    expect(
      places(planWithout(aSnapshot({ instanceTypes: [arm as InstanceType, plain], pending, devices: devicesOf([claim]) }))),
    ).toMatchObject({
      planned: [],
      rejected: 1,
    });
  });
});

describe('devices that are published', () => {
  test('on a node are taken before a new node is made (C2)', () => {
    const snapshot = { ...askedOf([oneGpu], [sliceOf(gpus(1), { nodeName: 'here' })]), nodes: [aNode({ name: 'here' })] };
    expect(places(planWithout(snapshot))).toEqual({ existing: ['here'], planned: [], rejected: 0 });
  });

  test('in one zone keep a node for two claims there (D2)', () => {
    const claims = [claim, claimOf('b', [request('r')])];
    const snapshot = askedOf([plain], [sliceOf(gpus(2), inZone('test-zone-2'))], claims);
    expect(places(planWithout(snapshot))).toEqual({ existing: [], planned: ['plain test-zone-2'], rejected: 0 });
  });

  test('for all nodes are allocated once to a claim of two pods (E1)', () => {
    const other = claimOf('b', [request('r')]);
    const snapshot = { ...askedOf([plain], [sliceOf(gpus(2))]), devices: devicesOf([claim, other], [sliceOf(gpus(2))]) };
    const pendingPods = [usingClaims(claim), usingClaims(claim), usingClaims(other)];
    expect(places(planWithout({ ...snapshot, pendingPods })).rejected).toBe(0);
  });

  test('for all nodes stay with a pod that runs (V2), and are free when its node goes (V1)', () => {
    const user = runningOn('here')(usingClaims(claimOf('held', [request('r')])));
    const held = allocated(claimOf('held', [request('r')]), ['gpu-0'], [user]);
    const snapshot = aSnapshot({
      nodes: [aNode({ name: 'here', pods: [user] })],
      instanceTypes: [plain],
      pending: [usingClaims(claim)],
      devices: devicesOf([claim, held], [sliceOf(gpus(1))]),
    });
    expect(places(planWithout(snapshot)).rejected).toBe(1);
    expect(places(planWithout(snapshot, ['here']))).toMatchObject({ rejected: 1, planned: ['plain test-zone-1'] });
  });

  test('by a node that nobody knows are not taken (S2)', () => {
    const snapshot = askedOf([oneGpu], [sliceOf(gpus(1), { nodeName: 'unknown' })]);
    expect(places(planWithout(snapshot))).toEqual({ existing: [], planned: ['one test-zone-1'], rejected: 0 });
  });

  test('by a node that comes up count once, before and after it is initialized (S1, I1, I2)', () => {
    const claims = [claim, claimOf('b', [request('r')])];
    const slices = [sliceOf(gpus(1), { nodeName: 'here' })];
    for (const isInitialized of [false, true]) {
      const node = aNode({ name: 'here', nodePoolName: 'default', isInitialized, labels: { 'node.kubernetes.io/instance-type': 'one' } });
      const pendingPods = claims.map((each) => usingClaims(each));
      const snapshot = { ...askedOf([oneGpu], slices, claims), nodes: [node], pendingPods };
      expect(places(planWithout(snapshot))).toEqual({ existing: ['here'], planned: ['one test-zone-1'], rejected: 0 });
    }
  });
});

describe('a node that comes up', () => {
  const nics = { driver: NIC, pool: 'nics', devices: [{ name: 'nic-0' }] };
  const both = typeWith('one', [], { resourceSliceTemplates: [{ driver: DRIVER, pool: 'gpus', devices: gpus(1) }, nics] });
  const coming = nodeOnItsWay('one');
  const published = (driver: string, parts = 1): ReturnType<typeof sliceOf> =>
    sliceOf(gpus(1), { name: `${driver}-pool`, driver, nodeName: 'here', pool: { name: `${driver}-pool`, resourceSliceCount: parts } });

  test.each<[published: string, slices: ReturnType<typeof sliceOf>[]]>([
    ['another driver has published its devices', [published(NIC)]],
    ['its driver has published part of a pool', [published(DRIVER, 2)]],
    ['its driver has published a pool', [published(DRIVER)]],
    ['its driver has published a pool, and another driver part of one', [published(DRIVER), published(NIC, 2)]],
  ])('%s › a pod gets the device once, and another pod does not', (_, slices) => {
    const claims = [claim, claimOf('b', [request('r')])];
    const snapshot = { ...askedOf([both], slices, claims), nodes: [coming], pendingPods: claims.map((each) => usingClaims(each)) };
    expect(places(planWithout(snapshot))).toEqual({ existing: ['here'], planned: ['one test-zone-1'], rejected: 0 });
  });
});

test('a node that comes up has published one of two pools of a driver › a pod waits for the other, and one more needs a new node', () => {
  const pools = ['gpu', 'mig'].map((name) => ({ driver: DRIVER, pool: name, devices: [{ name, attributes: { kind: { string: name } } }] }));
  const two = typeWith('two', [], { resourceSliceTemplates: pools });
  const selectors = [{ cel: { expression: `device.attributes["${DRIVER}"].kind == "mig"` } }];
  const claims = ['a', 'b'].map((name) => claimOf(name, [request('r', { selectors })]));
  const slice = sliceOf(pools[0]?.devices ?? [], { name: 'here-gpu', nodeName: 'here' });
  const snapshot = {
    ...askedOf([two], [slice], claims),
    nodes: [nodeOnItsWay('two')],
    pendingPods: claims.map((each) => usingClaims(each)),
  };
  expect(places(planWithout(snapshot))).toEqual({ existing: ['here'], planned: ['two test-zone-1'], rejected: 0 });
});

describe('a pod with a claim goes to a machine that is not launched yet', () => {
  const unlaunched = (pods: number) =>
    nodeOnItsWay('', {
      ...{ hasNode: false, isRegistered: false, labels: {}, pods: [usingClaims(claim)] },
      allocatable: { cpu: 4000, memory: 16 * 1024 ** 3, pods },
    });

  test('it has room › another pod with the claim goes there too', () => {
    expect(places(planWithout({ ...askedOf([oneGpu]), nodes: [unlaunched(2)] }))).toEqual({ existing: ['here'], planned: [], rejected: 0 });
  });

  test('it has none › another pod with the claim waits, and no node is planned', () => {
    const plan = planWithout({ ...askedOf([oneGpu]), nodes: [unlaunched(1)] });
    expect(places(plan)).toEqual({ existing: [], planned: [], rejected: 1 });
    expect(plan.rejections.map(explain)).toEqual([
      expect.stringContaining('other pods use ResourceClaim default/a as well, at most 256 can, and its devices are where they run'),
    ]);
  });
});

/* `disruption/consolidation_dra_test.go`. */
describe('nodes with devices that go', () => {
  /** A node with one device of its own, and a pod that has it. */
  const occupied = (name: string) => {
    const bare = claimOf(name, [request('r')]);
    const pod = runningOn(name)(usingClaims(bare));
    const results = [{ request: 'r', driver: DRIVER, pool: name, device: 'gpu-0' }];
    const status = {
      allocation: { devices: { results } },
      reservedFor: [{ resource: 'pods', name: pod.metadata.name, uid: pod.metadata.uid ?? '' }],
    };
    return { node: aNode({ name, pods: [pod] }), held: { ...bare, status }, slice: sliceOf(gpus(1), { name, nodeName: name }) };
  };

  test('several of them › their pods get devices of one planned node', () => {
    const two = ['x', 'y'].map(occupied);
    const devices = devicesOf(
      two.map(({ held }) => held),
      two.map(({ slice }) => slice),
    );
    const snapshot = aSnapshot({ nodes: two.map(({ node }) => node), instanceTypes: [typeWith('two', gpus(2))], devices });
    expect(places(planWithout(snapshot, ['x', 'y']))).toEqual({ existing: [], planned: ['two test-zone-1'], rejected: 0 });
  });

  test('no type has such a device › their pods have no place, on their own nodes neither', () => {
    const { node, held, slice } = occupied('x');
    const snapshot = aSnapshot({ nodes: [node], instanceTypes: [plain], devices: devicesOf([held], [slice]) });
    expect(places(planWithout(snapshot, ['x']))).toEqual({ existing: [], planned: [], rejected: 1 });
  });

  test('a device is shared › only their share of it is free', () => {
    const share = { capacity: { requests: { memory: '2' } } };
    const sharing = (name: string) => {
      const bare = claimOf(name, [request('r', share)]);
      const pod = runningOn(name)(usingClaims(bare));
      const results = [{ request: 'r', driver: DRIVER, pool: 'pool', device: 'gpu-0', shareID: name, consumedCapacity: { memory: '2' } }];
      const status = {
        allocation: { devices: { results } },
        reservedFor: [{ resource: 'pods', name: pod.metadata.name, uid: pod.metadata.uid ?? '' }],
      };
      return { node: aNode({ name, pods: [pod] }), held: { ...bare, status } };
    };
    const [gone, stays] = [sharing('gone'), sharing('stays')];
    const more = claimOf('more', [request('r', share)]);
    const slice = sliceOf(gpus(1, () => ({ allowMultipleAllocations: true, capacity: { memory: { value: '4' } } })));
    const rejectedOf = (pending: readonly ResourceClaim[]): number =>
      places(
        planWithout(
          aSnapshot({
            nodes: [gone.node, stays.node],
            instanceTypes: [plain],
            pending: pending.map((each) => usingClaims(each)),
            devices: devicesOf([gone.held, stays.held, ...pending], [slice]),
          }),
          ['gone'],
        ),
      ).rejected;
    expect([rejectedOf([]), rejectedOf([more])]).toEqual([0, 1]);
  });
});
