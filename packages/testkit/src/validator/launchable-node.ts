import type { InstanceType, NodePool, Offering, PlannedNode, Requirement } from '@karpenter/core';
import { floatAmountsOf } from './amounts.ts';
import type { FloatAmounts } from './amounts.ts';
import { meetsExpression } from './node-labels.ts';
import type { PlainLabels } from './node-labels.ts';

/** One machine that a planned node may turn out to be: the labels that its node would have. */
export interface LaunchableNode {
  readonly type: InstanceType;
  readonly offering: Offering;
  readonly labels: PlainLabels;
  /** What pods and daemons may use of it. */
  readonly available: FloatAmounts;
}

const availableOn = ({ capacity, overhead }: InstanceType): FloatAmounts => {
  const left: Record<string, number> = {};
  for (const [resource, amount] of Object.entries(capacity)) left[resource] = amount - (overhead[resource] ?? 0);
  return floatAmountsOf(left);
};

/** The label sets, each once for each value of the label. */
const withEachValue = (sets: readonly PlainLabels[], { key, values }: StatedLabel): readonly PlainLabels[] =>
  sets.flatMap((labels) => values.map((value) => ({ ...labels, [key]: value })));

/** A label whose values a type or an offering lists. */
interface StatedLabel {
  readonly key: string;
  readonly values: readonly string[];
}

const statedLabel = ({ key, values }: Requirement): StatedLabel => ({ key, values: values.kind === 'in' ? [...values.values] : [] });

/**
 * The label sets that a node of this type and offering may have. A type may state several values of a label, such as
 * the operating systems that it runs: the launch chooses one. What the offering states holds for the offering, whatever
 * the type lists.
 */
const labelSetsOf = ({ claim }: PlannedNode, type: InstanceType, offering: Offering): readonly PlainLabels[] => {
  const ofType = [...type.requirements.values()].filter(({ key }) => !offering.requirements.has(key));
  const stated = [...ofType, ...offering.requirements.values()].map(statedLabel);
  const joined: Record<string, string> = { ...claim.labels, 'karpenter.sh/registered': 'true', 'karpenter.sh/initialized': 'true' };
  for (const { key, values } of stated) if (values.length === 1) for (const value of values) joined[key] = value;
  return stated.filter(({ values }) => values.length > 1).reduce<readonly PlainLabels[]>(withEachValue, [joined]);
};

const known = new WeakMap<object, { readonly of: PlannedNode; readonly machines: readonly LaunchableNode[] }>();

const machinesFor = (planned: PlannedNode): readonly LaunchableNode[] =>
  planned.instanceTypes.flatMap((type) => {
    const available = availableOn(type);
    return type.offerings
      .filter((offering) => offering.isAvailable)
      .flatMap((offering) => labelSetsOf(planned, type, offering).map((labels) => ({ type, offering, labels, available })))
      .filter(({ labels }) => planned.claim.spec.requirements.every((requirement) => meetsExpression(requirement, labels)));
  });

/**
 * Every machine that the provider may launch for the claim: a listed type in an available offering that meets the
 * claim's requirements. Claims with the same requirements, labels and types have the same machines: those are worked
 * out once.
 */
export const launchableNodes = (planned: PlannedNode): readonly LaunchableNode[] => {
  const found = known.get(planned.claim.spec.requirements);
  if (found?.of.instanceTypes === planned.instanceTypes && found.of.claim.labels === planned.claim.labels) return found.machines;
  const machines = machinesFor(planned);
  known.set(planned.claim.spec.requirements, { of: planned, machines });
  return machines;
};

/** Labels that every node of the pool has. */
export const poolLabels = ({ metadata, spec }: NodePool): PlainLabels => ({
  ...spec.template.metadata?.labels,
  'karpenter.sh/nodepool': metadata.name,
});
