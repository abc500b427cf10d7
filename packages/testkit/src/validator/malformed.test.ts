import { type ClusterSnapshot, explain, type InstanceType, type NodePool, type Plan, type Pod, simulate } from '@karpenter/core';
import { type DaemonSet, explainLeftOut, type NodeView, type PodDisruptionBudget, type PodSpec } from '@karpenter/core/internal';
import { describe, expect, test } from '@jest/globals';
import { aDaemonSet, aNode, aNodePool, anInstanceType, aPod, aSnapshot, named, requesting, runningOn } from '../builders/index.ts';
import { validatedPlan } from './testing/validated-plan.ts';

const HOST = 'kubernetes.io/hostname';
const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';
/** The same, judged by a validator that cannot read the pods either. */
const solveSoundly = (snapshot: ClusterSnapshot): Plan => {
  return validatedPlan(snapshot);
};
const sound = (): Pod => aPod(named('sound'), requesting({ cpuMillis: 500 }));

/** What plain data may hold against the types. */
const broken = (spec: object): Pod => {
  const pod = aPod(named('broken'));
  return { ...pod, spec: { ...pod.spec, ...spec } };
};
const wanting = (resources: object): Partial<PodSpec> => ({ containers: [{ name: 'main', resources }] });
const spread = (constraint: object): object => ({
  topologySpreadConstraints: [{ maxSkew: 1, topologyKey: HOST, whenUnsatisfiable: 'DoNotSchedule', labelSelector: {}, ...constraint }],
});
const antiAffinityTo = (term: object): object => ({ affinity: { podAntiAffinity: { [REQUIRED]: [{ topologyKey: HOST, ...term }] } } });
const nodeTerm = (expression: object): object => ({
  affinity: { nodeAffinity: { [REQUIRED]: { nodeSelectorTerms: [{ matchExpressions: [expression] }] } } },
});

const podCases: readonly [string, object, string][] = [
  [
    'a quantity with a word in it',
    wanting({ requests: { cpu: '2 cores' } }),
    'spec.containers[0].resources.requests.cpu is "2 cores": is no quantity',
  ],
  [
    'a quantity of a wrong suffix',
    wanting({ limits: { memory: '2GB' } }),
    'spec.containers[0].resources.limits.memory is "2GB": is no quantity',
  ],
  ['a negative quantity', wanting({ requests: { cpu: '-1' } }), 'spec.containers[0].resources.requests.cpu is "-1": must not be negative'],
  ['no list of containers', { containers: undefined }, 'spec.containers is "undefined": must be a list'],
  ['a number where a label value belongs', { nodeSelector: { tier: 1 } }, 'spec.nodeSelector.tier is "1": must be a text'],
  ['an operator without values', nodeTerm({ key: 'zone', operator: 'In' }), 'is "In []": In takes at least one value'],
  [
    'an operator that is none',
    nodeTerm({ key: 'zone', operator: 'Equals', values: ['a'] }),
    'Equals is no operator; accepted are In, NotIn',
  ],
  ['a bound that is no number', nodeTerm({ key: 'cpus', operator: 'Gt', values: ['many'] }), 'Gt takes exactly one integer'],
  [
    'required affinity without a term',
    { affinity: { nodeAffinity: { [REQUIRED]: { nodeSelectorTerms: [] } } } },
    'nodeSelectorTerms is "[]": must hold at least one',
  ],
  [
    'a weight out of range',
    { affinity: { nodeAffinity: { [PREFERRED]: [{ weight: 0, preference: {} }] } } },
    `nodeAffinity.${PREFERRED}[0].weight is "0": must be a whole number from 1 to 100`,
  ],
  [
    'a toleration of an unknown operator',
    { tolerations: [{ key: 'a', operator: 'In' }] },
    'spec.tolerations[0].operator is "In": must be one of Exists, Equal',
  ],
  [
    'a toleration of an unknown effect',
    { tolerations: [{ key: 'a', effect: 'NoRun' }] },
    'spec.tolerations[0].effect is "NoRun": must be one of NoSchedule',
  ],
  ['a toleration without a key', { tolerations: [{ value: 'a' }] }, 'spec.tolerations[0].key is "": must name a taint'],
  [
    'a value beside Exists',
    { tolerations: [{ key: 'a', operator: 'Exists', value: 'b' }] },
    'spec.tolerations[0].value is "b": must be empty',
  ],
  [
    'a toleration that compares with a word',
    { tolerations: [{ key: 'a', operator: 'Gt', value: 'b' }] },
    'spec.tolerations[0].value is "b": must be an integer',
  ],
  ['a negative maxSkew', spread({ maxSkew: -1 }), 'spec.topologySpreadConstraints[0].maxSkew is "-1": must be a whole number from 1 on'],
  ['a spread without a key', spread({ topologyKey: '' }), 'spec.topologySpreadConstraints[0].topologyKey is "": must name a node label'],
  [
    'a spread without whenUnsatisfiable',
    spread({ whenUnsatisfiable: undefined }),
    'whenUnsatisfiable is "undefined": must be one of DoNotSchedule, ScheduleAnyway',
  ],
  ['a spread of an unknown policy', spread({ nodeTaintsPolicy: 'Maybe' }), 'nodeTaintsPolicy is "Maybe": must be one of Honor, Ignore'],
  [
    'minDomains of a soft spread',
    spread({ minDomains: 2, whenUnsatisfiable: 'ScheduleAnyway' }),
    'minDomains is "2": goes only with whenUnsatisfiable DoNotSchedule',
  ],
  [
    'a selector of an unknown operator',
    antiAffinityTo({ labelSelector: { matchExpressions: [{ key: 'a', operator: 'Is' }] } }),
    'labelSelector.matchExpressions[0].operator is "Is"',
  ],
  [
    'a selector without values',
    antiAffinityTo({ labelSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] } }),
    'labelSelector.matchExpressions[0].values is "[]": In takes',
  ],
  [
    'a namespace selector of an unknown operator',
    antiAffinityTo({ namespaceSelector: { matchExpressions: [{ key: 'a', operator: 'Is' }] } }),
    'namespaceSelector.matchExpressions[0].operator is "Is"',
  ],
  [
    'pod affinity without a key',
    antiAffinityTo({ topologyKey: '' }),
    `podAntiAffinity.${REQUIRED}[0].topologyKey is "": must name a node label`,
  ],
];

describe('a pod that cannot be read is refused with the field, the value and what would be right; the other is placed', () => {
  test.each(podCases)('%s', (_, spec, text) => {
    const plan = solveSoundly(aSnapshot({ pending: [sound(), broken(spec)] }));
    expect(plan.rejections.map(({ reason }) => reason.kind)).toEqual(['invalid-pod']);
    expect(plan.rejections.map(explain)[0]).toContain(text);
    expect(plan.plannedNodes.flatMap(({ pods }) => pods.map(({ metadata }) => metadata.name))).toEqual(['sound']);
  });

  test.each(podCases)('%s, of a pod that runs: its node is left out, or only what it says of others', (_, spec) => {
    const node = aNode({ name: 'shared', pods: [runningOn('shared')(broken(spec))] });
    const plan = solveSoundly(aSnapshot({ pending: [sound()], nodes: [node] }));
    expect(plan.rejections).toEqual([]);
  });
});

const pool = aNodePool({ name: 'fine' });
const changed = (spec: object): NodePool => ({ ...aNodePool({ name: 'odd' }), spec: { ...aNodePool().spec, ...spec } });
const templated = (spec: object): NodePool => changed({ template: { spec: { ...pool.spec.template.spec, ...spec } } });
const requirement = (spec: object): NodePool => templated({ requirements: [spec] });
const poolCases: readonly [string, NodePool, string][] = [
  [
    'an operator without values',
    requirement({ key: 'example.com/a', operator: 'In' }),
    'NodePool odd is left out: spec.template.spec.requirements[0]',
  ],
  ['an operator that is none', requirement({ key: 'example.com/a', operator: 'Is', values: ['a'] }), 'Is'],
  ['a limit that is no quantity', changed({ limits: { cpu: 'lots' } }), 'spec.limits.cpu is "lots": must be a quantity'],
  ['a weight out of range', changed({ weight: 1000 }), 'spec.weight is "1000": must be an integer from 1 to 100'],
  ['no requirements at all', templated({ requirements: undefined }), 'spec.template.spec.requirements is "undefined": must be a list'],
  [
    'a taint of an unknown effect',
    templated({ taints: [{ key: 'a', effect: 'Never' }] }),
    'spec.template.spec.taints[0].effect is "Never"',
  ],
];

describe('a NodePool that cannot be read is left out with the field named; the others serve', () => {
  test.each(poolCases)('%s', (_, odd, text) => {
    const plan = simulate(aSnapshot({ pending: [sound()], nodePools: [pool, odd] }));
    expect(plan.rejections).toEqual([]);
    expect((plan.leftOut ?? []).map(explainLeftOut)).toEqual([expect.stringContaining(text)]);
  });
});

const type = anInstanceType({ name: 'odd-type' });
const typeCases: readonly [string, InstanceType, string][] = [
  ['no requirements', { ...type, requirements: {} as never }, 'InstanceType default/odd-type is left out: requirements is'],
  ['no list of offerings', { ...type, offerings: undefined as never }, 'offerings is "undefined": must be a list'],
  [
    'a price that is none',
    { ...type, offerings: type.offerings.map((each) => ({ ...each, pricePerHour: Number.NaN })) },
    'offerings[0].pricePerHour is "NaN"',
  ],
  ['a capacity that is no number', { ...type, capacity: { cpu: '4' as never } }, 'capacity.cpu is "4": must be a number'],
  ['the name of another', { ...type, name: 'fine-type' }, 'name is "fine-type": occurs twice'],
];

describe('an instance type that cannot be read is left out with the field named; the others serve', () => {
  test.each(typeCases)('%s', (_, odd, text) => {
    const plan = simulate(aSnapshot({ pending: [sound()], instanceTypes: [anInstanceType({ name: 'fine-type' }), odd] }));
    expect(plan.plannedNodes.map(({ cheapest }) => cheapest.instanceType.name)).toEqual(['fine-type']);
    expect((plan.leftOut ?? []).map(explainLeftOut)).toEqual([expect.stringContaining(text)]);
  });
});

describe('a node, a DaemonSet or a budget that cannot be read is left out with the field named', () => {
  const odd = (change: object): NodeView => ({ ...aNode({ name: 'odd' }), ...change });
  const selector = { matchExpressions: [{ key: 'a', operator: 'Is' as never }] };
  const budget: PodDisruptionBudget = { metadata: { name: 'odd', namespace: 'shop' }, spec: { selector } };
  const daemon = (spec: object): DaemonSet => {
    const whole = aDaemonSet('odd');
    return { ...whole, spec: { template: { spec: { ...whole.spec.template.spec, ...spec } } } };
  };
  test.each<[string, Partial<ClusterSnapshot>, string]>([
    ['a node without labels', { nodes: [odd({ labels: undefined })] }, 'Node odd is left out: labels is "undefined"'],
    ['a node without taints', { nodes: [odd({ taints: undefined })] }, 'taints is "undefined": must be a list'],
    ['a node of texts', { nodes: [odd({ allocatable: { cpu: '4' } })] }, 'allocatable.cpu is "4": must be a number'],
    [
      'a node with a pod that asks for words',
      { nodes: [odd({ pods: [broken(wanting({ requests: { cpu: 'two' } }))] })] },
      'pods[default/broken].spec.containers[0].resources.requests.cpu is "two"',
    ],
    [
      'a DaemonSet that asks for words',
      { daemonSets: [daemon(wanting({ requests: { cpu: 'two' } }))] },
      'DaemonSet kube-system/odd is left out: spec.template.spec.containers[0]',
    ],
    ['a DaemonSet of an unknown operator', { daemonSets: [daemon(nodeTerm({ key: 'a', operator: 'Is' }))] }, 'Is is no operator'],
    [
      'a budget of an unknown operator',
      { podDisruptionBudgets: [budget] },
      'PodDisruptionBudget shop/odd is left out: spec.selector.matchExpressions[0].operator is "Is"',
    ],
  ])('%s', (_, change, text) => {
    const plan = simulate({ ...aSnapshot({ pending: [sound()] }), ...change });
    expect(plan.rejections).toEqual([]);
    expect((plan.leftOut ?? []).map(explainLeftOut)).toEqual([expect.stringContaining(text)]);
  });

  test('a sound snapshot leaves nothing out', () => {
    expect(simulate(aSnapshot({ pending: [sound()], nodes: [aNode()] })).leftOut).toBeUndefined();
  });
});
