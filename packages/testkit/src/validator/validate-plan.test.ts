import { defaultSchedulingPolicy, simulate } from '@karpenter/core';
import type { Plan, PlannedNode } from '@karpenter/core';
import { describe, expect, test } from '@jest/globals';
import {
  aNode,
  aNodePool,
  anInstanceType,
  aPod,
  aSnapshot,
  inZone,
  named,
  oneOf,
  pods,
  requesting,
  withNodeSelector,
} from '../builders/index.ts';
import { validatePlan } from './validate-plan.ts';
import type { Violation } from './violation.ts';
import { validatedPlan } from './testing/validated-plan.ts';

const snapshot = aSnapshot({
  pending: [...pods(3, requesting({ cpuMillis: 1000 })), aPod(inZone('test-zone-2'), requesting({ cpuMillis: 9000 }))],
  nodes: [aNode({ name: 'full', allocatable: { cpu: 100, memory: 1024 ** 3, pods: 110 } })],
  nodePools: [aNodePool({ limits: { cpu: '40' }, taints: [] })],
});
const sound = simulate(snapshot, defaultSchedulingPolicy, () => false);
const withNodes = (change: (node: PlannedNode) => PlannedNode): Plan => ({ ...sound, plannedNodes: sound.plannedNodes.map(change) });
const rulesBroken = (plan: Plan): readonly Violation['rule'][] => [
  ...new Set(validatePlan(snapshot, defaultSchedulingPolicy, plan).map(({ rule }) => rule)),
];
const os = 'kubernetes.io/os';
const tiny = anInstanceType({ name: 'type-16', cpus: 1, pricePerHour: 0.001 });

describe('validatePlan', () => {
  test('finds nothing wrong with a sound plan', () => expect(rulesBroken(sound)).toEqual([]));

  test.each<[string, Plan, Violation['rule']]>([
    ['a pod without an answer', { ...sound, plannedNodes: sound.plannedNodes.slice(1) }, 'each-pod-once'],
    ['a pod with two answers', { ...sound, plannedNodes: [...sound.plannedNodes, ...sound.plannedNodes] }, 'each-pod-once'],
    ['a node that is too full', { ...sound, plannedNodes: [], placements: new Map([['full', snapshot.pendingPods]]) }, 'resources'],
    ['a node that is not there', { ...sound, plannedNodes: [], placements: new Map([['nowhere', snapshot.pendingPods]]) }, 'known-place'],
    ['a named type that is too small', withNodes((node) => ({ ...node, instanceTypes: [tiny] })), 'resources'],
    [
      'a zone that the pod did not ask for',
      withNodes((node) => ({ ...node, claim: { ...node.claim, spec: { ...node.claim.spec, requirements: [] } } })),
      'node-labels',
    ],
    [
      'a price that is not the cheapest',
      withNodes((node) => ({ ...node, cheapest: { ...node.cheapest, offering: { ...node.cheapest.offering, pricePerHour: 9 } } })),
      'price',
    ],
    [
      'a limit that is not kept',
      withNodes((node) => ({ ...node, instanceTypes: [...node.instanceTypes, anInstanceType({ name: 'vast', cpus: 64 })] })),
      'limits',
    ],
  ])('finds %s', (_, plan, rule) => {
    expect(rulesBroken(plan)).toContain(rule);
  });

  test('when a type comes with several operating systems, the claim chooses among them and pods may rely on no other', () => {
    const made = anInstanceType({ name: 'either' });
    const either = { ...made, requirements: new Map([...made.requirements, [os, oneOf(os, 'linux', 'windows')]]) };
    const question = aSnapshot({ pending: [aPod(named('on-linux'), withNodeSelector({ [os]: 'linux' }))], instanceTypes: [either] });
    const plan = validatedPlan(question);
    const open = plan.plannedNodes.map((node) => ({ ...node, claim: { ...node.claim, spec: { ...node.claim.spec, requirements: [] } } }));
    const found = validatePlan(question, defaultSchedulingPolicy, { ...plan, plannedNodes: open });
    expect(found.map(({ subject }) => subject)).toContain('on-linux');
  });

  test.each<[string, object, string]>([
    ['without containers', { containers: undefined }, 'has no list of containers'],
    ['with a word for an amount', { containers: [{ name: 'main', resources: { requests: { cpu: 'two' } } }] }, 'amount of cpu'],
    ['with an operator that is none', { topologySpreadConstraints: [{ labelSelector: { matchExpressions: [{ operator: 'Is' }] } }] }, 'Is'],
  ])('names a pod %s that was placed, and judges the others', (_, spec, text) => {
    const odd = aPod(named('odd'));
    const broken = { ...odd, spec: { ...odd.spec, ...spec } };
    const plan = withNodes((node) => ({ ...node, pods: [...node.pods, broken] }));
    const [violation] = validatePlan({ ...snapshot, pendingPods: [...snapshot.pendingPods, broken] }, defaultSchedulingPolicy, {
      ...plan,
      plannedNodes: [...sound.plannedNodes.slice(1), ...plan.plannedNodes.slice(0, 1)],
    });
    expect([violation?.rule, violation?.subject]).toEqual(['readable', 'default/odd']);
    expect(violation?.detail).toContain(text);
  });
});
