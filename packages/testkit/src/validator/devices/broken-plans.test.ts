import { defaultSchedulingPolicy, simulate } from '@karpenter/core';
import type { Device, ResourceClaim } from '@karpenter/core';
import { describe, expect, test } from '@jest/globals';
import { aSnapshot } from '../../builders/index.ts';
import { validatePlan } from '../validate-plan.ts';
import { claimOf, devicesOf, DRIVER, request, typeWith, usingClaims } from './testing/gpu-cluster.ts';

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
