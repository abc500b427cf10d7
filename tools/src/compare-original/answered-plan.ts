import { type InstanceType, type Plan, type PlannedNode, type Pod, requirementsOf, type RequirementSpec } from '@karpenter/core';
import { cheapestOffering, type NodeRequirements } from '@karpenter/core/internal';
import { type AnsweredNode, type OriginalQuestion, qualifiedPodName } from './question.ts';

/** Each pod that an answer may name: the pending ones, and those of nodes that go. */
const podsOf = ({ snapshot }: OriginalQuestion): ReadonlyMap<string, Pod> => {
  const leaving = snapshot.nodes.filter(({ isMarkedForDeletion }) => isMarkedForDeletion).flatMap(({ pods }) => pods);
  return new Map([...snapshot.pendingPods, ...leaving].map((pod) => [qualifiedPodName(pod), pod]));
};

type Priced = PlannedNode['cheapest'];

/** The types that can be bought as the node requires, each with its cheapest offering, cheapest first. */
const pricedTypes = (types: readonly InstanceType[], wanted: NodeRequirements): readonly Priced[] =>
  types
    .flatMap((instanceType): readonly Priced[] => {
      const offering = cheapestOffering(instanceType, wanted);
      return offering === undefined ? [] : [{ instanceType, offering }];
    })
    .sort((a, b) => a.offering.pricePerHour - b.offering.pricePerHour);

/** Labels that the requirements leave a choice for get the first value, as a launch would choose one. */
const labelsOf = (requirements: readonly RequirementSpec[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    requirements.flatMap(({ key, operator, values: [value] = [] }) => (operator === 'In' && value !== undefined ? [[key, value]] : [])),
  );

/** Labels that the type and the offering decide, so that the claim does not. */
const chosenAtLaunch: ReadonlySet<string> = new Set([
  'topology.kubernetes.io/zone',
  'karpenter.sh/capacity-type',
  'node.kubernetes.io/instance-type',
  'kubernetes.io/arch',
  'kubernetes.io/os',
]);

const plannedNodeOf = (node: AnsweredNode, { snapshot, policy }: OriginalQuestion, pods: ReadonlyMap<string, Pod>): PlannedNode => {
  const view = snapshot.nodePools.find(({ nodePool }) => nodePool.metadata.name === node.nodePoolName);
  if (view === undefined) throw new Error(`There is no NodePool ${node.nodePoolName}`);
  const named = new Set(node.instanceTypeNames);
  const requirements = node.requirements.filter(({ key }) => key !== 'karpenter.sh/registered' && key !== 'karpenter.sh/initialized');
  const priced = pricedTypes(
    view.instanceTypes.filter(({ name }) => named.has(name)),
    { requirements: requirementsOf(requirements, policy.labelCatalog), labelCatalog: policy.labelCatalog },
  );
  const [cheapest] = priced;
  if (cheapest === undefined) throw new Error(`${node.nodePoolName} sells none of ${node.instanceTypeNames.join(', ')}`);
  const { template } = view.nodePool.spec;
  return {
    nodePoolName: node.nodePoolName,
    pods: node.pods.flatMap((name) => pods.get(name) ?? []),
    instanceTypes: priced.map(({ instanceType }) => instanceType),
    cheapest,
    requests: {},
    claim: {
      labels: {
        ...labelsOf(requirements.filter(({ key }) => !chosenAtLaunch.has(key))),
        ...template.metadata?.labels,
        'karpenter.sh/nodepool': node.nodePoolName,
      },
      annotations: {},
      spec: { ...template.spec, requirements, resources: { requests: {} } },
    },
  };
};

/** The original's answer as a plan, to be judged as ours is. Throws where the answer names what the question lacks. */
export const answeredPlan = (question: OriginalQuestion): Plan => {
  const pods = podsOf(question);
  const plannedNodes = question.answer.nodes.map((node) => plannedNodeOf(node, question, pods));
  const placements = new Map([...question.answer.existing].map(([node, names]) => [node, names.flatMap((name) => pods.get(name) ?? [])]));
  const placed = new Set([...plannedNodes.flatMap((node) => node.pods), ...[...placements.values()].flat()]);
  return {
    plannedNodes,
    placements,
    rejections: question.snapshot.pendingPods
      .filter((pod) => !placed.has(pod))
      .map((pod) => ({ pod, reason: { kind: 'no-place', pools: [], hints: [] } })),
    pricePerHour: plannedNodes.reduce((sum, { cheapest }) => sum + cheapest.offering.pricePerHour, 0),
  };
};
