import { defaultSchedulingPolicy, simulate } from '@karpenter/core';
import type { InstanceType, Plan, PlannedNode, RequirementSpec, SchedulingPolicy } from '@karpenter/core';
import { describe, expect, test } from '@jest/globals';
import { aNodePool, anInstanceType, aPod, aSnapshot, requesting } from '../builders/index.ts';
import { validatePlan } from './validate-plan.ts';

const bestEffort: SchedulingPolicy = { ...defaultSchedulingPolicy, minValues: 'BestEffort' };
const relaxed = 'karpenter.sh/nodeclaim-min-values-relaxed';
const GIB = 1024 ** 3;
const typeKey = 'node.kubernetes.io/instance-type';

const asking = (minValues: number): RequirementSpec => ({ key: typeKey, operator: 'Exists', minValues });

const sizes = (...cpus: readonly number[]): readonly InstanceType[] => cpus.map((each) => anInstanceType({ cpus: each }));

interface Case {
  readonly podCpus: readonly number[];
  readonly minValues: number;
  readonly policy?: SchedulingPolicy;
}

const planOfCase = ({ podCpus, minValues, policy = bestEffort }: Case): Plan => {
  const snapshot = aSnapshot({
    pending: podCpus.map((cpus) => aPod(requesting({ cpuMillis: cpus * 1000 }))),
    nodePools: [aNodePool({ requirements: [asking(minValues)] })],
    instanceTypes: sizes(4, 8, 16),
  });
  const answer = simulate(snapshot, policy, () => false);
  expect(validatePlan(snapshot, policy, answer)).toEqual([]);
  return answer;
};

const namedTypes = ({ claim }: PlannedNode): RequirementSpec | undefined => claim.spec.requirements.find(({ key }) => key === typeKey);

describe('minValues as a preference (BestEffort)', () => {
  test('are relaxed for a new node where no choice of types meets them, and the claim says how far', () => {
    const [planned] = planOfCase({ podCpus: [7], minValues: 3 }).plannedNodes;
    expect(planned?.claim.annotations[relaxed]).toBe('true');
    expect(planned && namedTypes(planned)).toEqual({ key: typeKey, operator: 'In', values: ['type-16', 'type-8'], minValues: 2 });
  });

  test('are kept where they can be, and the claim says so', () => {
    const [planned] = planOfCase({ podCpus: [3], minValues: 3 }).plannedNodes;
    expect(planned?.claim.annotations[relaxed]).toBe('false');
    expect(planned && namedTypes(planned)).toMatchObject({ minValues: 3 });
  });

  test('are not relaxed for a pod that comes later: it gets a node of its own', () => {
    const { plannedNodes } = planOfCase({ podCpus: [3, 3], minValues: 3 });
    expect(plannedNodes.map(({ claim }) => claim.annotations[relaxed])).toEqual(['false', 'false']);
  });

  test('once relaxed are relaxed no further', () => {
    const { plannedNodes } = planOfCase({ podCpus: [7, 7], minValues: 3 });
    expect(plannedNodes.map((each) => namedTypes(each)?.minValues)).toEqual([2, 2]);
  });

  test('do not change a node for a pod that no one of its types has both the cpus and the memory for', () => {
    const instanceTypes = [
      anInstanceType({ name: 'cpus', cpus: 8, memoryBytes: 4 * GIB }),
      anInstanceType({ name: 'memory', cpus: 2, memoryBytes: 32 * GIB }),
    ];
    const pending = [aPod(requesting({ cpuMillis: 1000 })), aPod(requesting({ cpuMillis: 950, memoryBytes: 16 * GIB }))];
    const snapshot = aSnapshot({ pending, nodePools: [aNodePool({ requirements: [asking(1)] })], instanceTypes });
    const { plannedNodes } = simulate(snapshot, { ...bestEffort, packing: 'first-fit' }, () => false);
    expect(plannedNodes.map(({ instanceTypes: own }) => own.map(({ name }) => name))).toEqual([['memory', 'cpus'], ['memory']]);
  });

  test('say nothing of claims whose pool asks for none', () => {
    const snapshot = aSnapshot({ pending: [aPod(requesting({ cpuMillis: 1000 }))] });
    const [planned] = simulate(snapshot, bestEffort, () => false).plannedNodes;
    expect(planned?.claim.annotations).not.toHaveProperty([relaxed]);
  });
});

describe('minValues as a rule (Strict)', () => {
  test('leave a pod without a node where no choice of types meets them', () => {
    const { plannedNodes, rejections } = planOfCase({ podCpus: [7], minValues: 3, policy: defaultSchedulingPolicy });
    expect(plannedNodes).toEqual([]);
    expect(rejections).toHaveLength(1);
  });

  test('hold however short the list of types is cut', () => {
    const policy = { ...defaultSchedulingPolicy, maxInstanceTypes: 2 };
    const [planned] = planOfCase({ podCpus: [3], minValues: 2, policy }).plannedNodes;
    expect(planned?.instanceTypes.map(({ name }) => name)).toEqual(['type-4', 'type-8']);
  });
});
