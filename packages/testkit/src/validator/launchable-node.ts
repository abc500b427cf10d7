import type { InstanceType, NodePool, Offering, PlannedNode } from '@karpenter/core';
import { meetsExpression, onlyValue } from './node-labels.ts';
import type { Labels } from './node-labels.ts';

/** One machine that a planned node may turn out to be: the labels that its node would have. */
export interface LaunchableNode {
  readonly type: InstanceType;
  readonly offering: Offering;
  readonly labels: Labels;
}

const labelsOf = (planned: PlannedNode, type: InstanceType, offering: Offering): Labels => {
  const labels: Record<string, string> = { ...planned.claim.labels };
  for (const own of [...type.requirements.values(), ...offering.requirements.values()]) {
    const value = onlyValue(own);
    if (value !== undefined) labels[own.key] = value;
  }
  return { ...labels, 'karpenter.sh/registered': 'true', 'karpenter.sh/initialized': 'true' };
};

const known = new WeakMap<object, { readonly of: PlannedNode; readonly machines: readonly LaunchableNode[] }>();

const machinesFor = (planned: PlannedNode): readonly LaunchableNode[] =>
  planned.instanceTypes.flatMap((type) =>
    type.offerings
      .filter((offering) => offering.isAvailable)
      .map((offering) => ({ type, offering, labels: labelsOf(planned, type, offering) }))
      .filter(({ labels }) => planned.claim.spec.requirements.every((requirement) => meetsExpression(requirement, labels))),
  );

/**
 * Every machine that the provider may launch for the claim: a listed type in an available offering that meets the claim's requirements.
 * Claims with the same requirements, labels and types have the same machines: those are worked out once.
 */
export const launchableNodes = (planned: PlannedNode): readonly LaunchableNode[] => {
  const found = known.get(planned.claim.spec.requirements);
  if (found?.of.instanceTypes === planned.instanceTypes && found.of.claim.labels === planned.claim.labels) return found.machines;
  const machines = machinesFor(planned);
  known.set(planned.claim.spec.requirements, { of: planned, machines });
  return machines;
};

/** Labels that every node of the pool has. */
export const poolLabels = ({ metadata, spec }: NodePool): Labels => ({
  ...spec.template.metadata?.labels,
  'karpenter.sh/nodepool': metadata.name,
});
