import { type ClusterSnapshot, defaultSchedulingPolicy, type Plan, type Pod, simulate } from '@karpenter/core';
import type { Device, ResourceClaim } from '@karpenter/core/internal';
import { describe, expect, test } from '@jest/globals';
import { aNode, anInstanceType, aSnapshot } from '../../builders/index.ts';
import { validatePlan } from '../validate-plan.ts';
import { claimOf, devicesOf, DRIVER, gpus, request, sliceOf, typeWith, usingClaims } from './testing/gpu-cluster.ts';

const slots = (value: number): Partial<Device> => ({ consumesCounters: [{ counterSet: 'set', counters: { slots: { value } } }] });
const ofKind = (kind: string, more: Partial<Device> = {}): Partial<Device> => ({ attributes: { kind: { string: kind } }, ...more });

/**
 * Two plain GPUs of two models, one that several claims may share, a tainted one, and two partitions that exclude each
 * other.
 */
const devices: readonly Device[] = [
  ofKind('plain', { attributes: { kind: { string: 'plain' }, model: { string: 'a' } }, capacity: { memory: { value: '40Gi' } } }),
  ofKind('plain', { attributes: { kind: { string: 'plain' }, model: { string: 'b' } }, capacity: { memory: { value: '40Gi' } } }),
  ofKind('shared', { allowMultipleAllocations: true, capacity: { memory: { value: '40Gi' } } }),
  ofKind('tainted', { taints: [{ key: 'sick', effect: 'NoSchedule' }] }),
  ofKind('part', slots(4)),
  ofKind('part', slots(4)),
].map((traits, index) => ({ name: `gpu-${index}`, ...traits }));
const templates = [
  { driver: DRIVER, pool: 'gpus', sharedCounters: [{ name: 'set', counters: { slots: { value: 7 } } }] },
  { driver: DRIVER, pool: 'gpus', devices },
];

const kind = (name: string) => ({ selectors: [{ cel: { expression: `device.attributes["${DRIVER}"].kind == "${name}"` } }] });
const memory = (amount: string) => ({ capacity: { requests: { memory: amount } } });
const model = `${DRIVER}/model`;
const either = (...counts: readonly number[]) => ({
  name: 'r',
  firstAvailable: counts.map((count, index) => ({ name: `a${index}`, deviceClassName: 'gpu', count, ...kind('plain') })),
});

/** Whether the validator objects to a pod with the claim on the node that was planned for it when it asked for any device. */
const isRefused = (claim: ResourceClaim): boolean => {
  const modest = claimOf('c', [request('r', kind('plain'))]);
  const snapshot = aSnapshot({
    instanceTypes: [typeWith('type', [], { resourceSliceTemplates: templates })],
    pending: [usingClaims(modest)],
    devices: devicesOf([modest]),
  });
  const plan = simulate(snapshot);
  expect(plan.plannedNodes).toHaveLength(1);
  const violations = validatePlan({ ...snapshot, devices: devicesOf([claim]) }, defaultSchedulingPolicy, plan);
  return violations.some(({ rule }) => rule === 'devices');
};

describe('the validator, of a claim that its node', () => {
  test.each<[feature: string, met: ResourceClaim, unmet: ResourceClaim]>([
    [
      'has too few devices for',
      claimOf('c', [request('r', { count: 2, ...kind('plain') })]),
      claimOf('c', [request('r', { count: 3, ...kind('plain') })]),
    ],
    ['has no device for by its selector', claimOf('c', [request('r', kind('part'))]), claimOf('c', [request('r', kind('none'))])],
    [
      'has no devices for that match',
      claimOf('c', [request('r', kind('plain'))], [{ matchAttribute: model }]),
      claimOf('c', [request('r', { count: 2, ...kind('plain') })], [{ matchAttribute: model }]),
    ],
    [
      'has no devices for that differ',
      claimOf('c', [request('r', { count: 2, ...kind('plain') })], [{ distinctAttribute: model }]),
      claimOf('c', [request('r', { count: 2, ...kind('plain') })], [{ distinctAttribute: `${DRIVER}/kind` }]),
    ],
    [
      'has a tainted device for',
      claimOf('c', [request('r', { ...kind('tainted'), tolerations: [{ key: 'sick', operator: 'Exists' }] })]),
      claimOf('c', [request('r', kind('tainted'))]),
    ],
    [
      'has too little capacity for',
      claimOf('c', [request('r', { ...kind('plain'), ...memory('40Gi') })]),
      claimOf('c', [request('r', { ...kind('plain'), ...memory('41Gi') })]),
    ],
    [
      'has a full shared device for',
      claimOf(
        'c',
        ['r', 's'].map((name) => request(name, { ...kind('shared'), ...memory('20Gi') })),
      ),
      claimOf(
        'c',
        ['r', 's'].map((name) => request(name, { ...kind('shared'), ...memory('21Gi') })),
      ),
    ],
    ['has no counters for', claimOf('c', [request('r', kind('part'))]), claimOf('c', [request('r', { count: 2, ...kind('part') })])],
    ['has no alternative for', claimOf('c', [either(3, 2)]), claimOf('c', [either(4, 3)])],
    [
      'has not all devices for',
      claimOf('c', [request('r', { ...kind('plain'), allocationMode: 'All' })]),
      claimOf('c', [request('r', { ...kind('part'), allocationMode: 'All' })]),
    ],
    [
      'has too few devices for an administrator of',
      claimOf('c', [request('r', { ...kind('plain'), adminAccess: true, count: 2 })]),
      claimOf('c', [request('r', { ...kind('plain'), adminAccess: true, count: 3 })]),
    ],
  ])('%s › objects, and to nothing less', (_, met, unmet) => {
    expect({ met: isRefused(met), unmet: isRefused(unmet) }).toEqual({ met: false, unmet: true });
  });
});

const all = (name: string): ReturnType<typeof request> => request(name, { allocationMode: 'All' });

const violations = (snapshot: ClusterSnapshot, plan: Plan): readonly string[] =>
  validatePlan(snapshot, defaultSchedulingPolicy, plan).map(({ rule, subject, detail }) => `${rule}: ${subject} ${detail}`);

/** A plan that puts the pods on nodes of the type `one`, which has a GPU: each list on a node of its own. */
const onNodes = (claims: readonly ResourceClaim[], ...pods: readonly (readonly Pod[])[]): readonly string[] => {
  const { capacity, ...type } = typeWith('one', gpus(1));
  const snapshot = aSnapshot({
    instanceTypes: [{ ...type, capacity: { ...capacity, cpu: 64_000, pods: 1000 } }],
    pending: pods.flat(),
    devices: devicesOf(claims),
  });
  const plan = simulate(snapshot);
  const [node] = plan.plannedNodes;
  if (node === undefined) throw new Error('a node is planned');
  const plannedNodes = pods.map((own) => ({ ...node, pods: own }));
  const pricePerHour = node.cheapest.offering.pricePerHour * pods.length;
  return violations(snapshot, { ...plan, plannedNodes, pricePerHour, rejections: [] }).filter((each) => each.startsWith('devices'));
};

describe('the validator, of a claim that several pods use', () => {
  const shared = claimOf('shared', [request('r')]);
  const using = (count: number): readonly Pod[] => Array.from({ length: count }, () => usingClaims(shared));

  test('when only 256 may use it › objects to one more', () => {
    expect(onNodes([shared], using(256))).toEqual([]);
    expect(onNodes([shared], using(257))).toEqual(['devices: default/shared is used by 257 pods, of at most 256']);
  });

  test('when its pods are on two nodes that bring their own devices › objects', () => {
    const subjects = onNodes([shared], using(1), using(1)).map((each) => each.slice(0, 'devices: planned node 0'.length));
    expect([...new Set(subjects)]).toEqual(['devices: planned node 0', 'devices: planned node 1']);
  });

  test('when another claim of a pod is for all devices, and came second › does not object', () => {
    const devices = gpus(2, (index) => ({ allowMultipleAllocations: index === 0, capacity: { memory: { value: '4Gi' } } }));
    const rest = claimOf('rest', [all('r')]);
    const snapshot = aSnapshot({
      instanceTypes: [typeWith('two', devices)],
      pending: [...using(1), usingClaims(shared, rest)],
      devices: devicesOf([shared, rest]),
    });
    const plan = simulate(snapshot);
    expect(plan.plannedNodes.map(({ pods }) => pods.length)).toEqual([2]);
    expect(violations(snapshot, plan)).toEqual([]);
  });

  test('when it is for all devices, and has them by a node where fewer match › does not object to a pod elsewhere', () => {
    const roots = claimOf('roots', [all('r')], [{ matchAttribute: `${DRIVER}/root` }]);
    const fabric = sliceOf(gpus(1, () => ({ attributes: { root: { int: 0 } } })));
    const own = sliceOf(gpus(1), { name: 'own', nodeName: 'here' });
    const pending = [usingClaims(roots), usingClaims(roots)];
    const devices = devicesOf([roots], [fabric, own]);
    const snapshot = aSnapshot({ nodes: [aNode({ name: 'here' })], instanceTypes: [anInstanceType()], pending, devices });
    const plan = simulate(snapshot);
    expect([...plan.placements.keys(), ...plan.plannedNodes.map(() => 'planned')]).toEqual(['here', 'planned']);
    expect(violations(snapshot, plan)).toEqual([]);
  });
});
