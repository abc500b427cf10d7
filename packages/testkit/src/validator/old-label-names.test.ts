import { defaultSchedulingPolicy } from '@karpenter/core';
import { describe, expect, test } from '@jest/globals';
import { aNode, anInstanceType, aPod, aSnapshot, requiringAnyOf, withNodeSelector } from '../builders/index.ts';
import { validatePlan } from './validate-plan.ts';
import { validatedPlan } from './testing/validated-plan.ts';

const instanceTypes = ['amd64', 'arm64'].map((arch) => anInstanceType({ name: arch, arch }));
const names: readonly [string, string, string][] = [
  ['beta.kubernetes.io/arch', 'kubernetes.io/arch', 'arm64'],
  ['failure-domain.beta.kubernetes.io/zone', 'topology.kubernetes.io/zone', 'test-zone-2'],
];

describe.each(names)('a pod that asks by the old name %s', (old, stable, value) => {
  const pending = [aPod(withNodeSelector({ [old]: value }))];

  test('gets a new node of that value', () => {
    const { plannedNodes } = validatedPlan(aSnapshot({ pending, instanceTypes }));
    expect(plannedNodes.map(({ claim }) => claim.spec.requirements.find(({ key }) => key === stable)?.values)).toEqual([[value]]);
  });

  test('goes to a node that is there with both names', () => {
    const nodes = [aNode({ name: 'both', labels: { [old]: value, [stable]: value } })];
    expect([...validatedPlan(aSnapshot({ pending, nodes })).placements.keys()]).toEqual(['both']);
  });

  test('does not go to a node whose two names say different things', () => {
    const nodes = [aNode({ name: 'odd', labels: { [old]: 'other', [stable]: 'another' } })];
    expect(validatedPlan(aSnapshot({ pending, nodes, instanceTypes })).placements.size).toBe(0);
  });
});

test('a node that has the old name only, as none has that was launched, is passed over, whichever name the pod asks by', () => {
  const { 'kubernetes.io/arch': arch = '', ...labels } = aNode().labels;
  const nodes = [{ ...aNode({ name: 'old' }), labels: { ...labels, 'beta.kubernetes.io/arch': arch } }];
  for (const key of ['beta.kubernetes.io/arch', 'kubernetes.io/arch']) {
    const pending = [aPod(requiringAnyOf({ matchExpressions: [{ key, operator: 'In', values: [arch] }] }))];
    const plan = validatedPlan(aSnapshot({ pending, nodes, instanceTypes }));
    expect([plan.placements.size, plan.plannedNodes.length]).toEqual([0, 1]);
  }
});

test('the validator finds a pod that asks by an old name on a node of another value', () => {
  const snapshot = aSnapshot({
    pending: [aPod(withNodeSelector({ 'beta.kubernetes.io/arch': 'arm64' }))],
    nodes: [aNode({ name: 'amd64' })],
    instanceTypes,
  });
  const plan = { ...validatedPlan(snapshot), plannedNodes: [], pricePerHour: 0, placements: new Map([['amd64', snapshot.pendingPods]]) };
  expect(validatePlan(snapshot, defaultSchedulingPolicy, plan)).toEqual([expect.objectContaining({ rule: 'node-labels' })]);
});
