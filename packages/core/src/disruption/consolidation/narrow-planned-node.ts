import { labels } from '../../apis/index.ts';
import type { LabelCatalog } from '../../apis/index.ts';
import { cheapestOffering, orderByPrice } from '../../catalog/index.ts';
import type { InstanceType, NodeRequirements } from '../../catalog/index.ts';
import { and, requirementsOf, specsOf } from '../../requirements/index.ts';
import type { Requirement, Requirements } from '../../requirements/index.ts';
import type { PlannedNode } from '../../scheduling/index.ts';

const oneOf = (key: string, values: readonly string[]): Requirement => ({
  key,
  values: { kind: 'in', values: new Set(values) },
  mayBeAbsent: false,
});

const narrowed = (requirements: Requirements, requirement: Requirement): Requirements => {
  const before = requirements.get(requirement.key);
  return new Map(requirements).set(requirement.key, before === undefined ? requirement : and(before, requirement));
};

/** What the claim of a planned node asks of its machine. */
export const wantedOf = ({ claim }: PlannedNode, labelCatalog: LabelCatalog): NodeRequirements => ({
  requirements: requirementsOf(claim.spec.requirements, labelCatalog),
  labelCatalog,
});

/** The same, restricted to one capacity type. */
export const wantedAs = (wanted: NodeRequirements, capacityType: string): NodeRequirements => ({
  ...wanted,
  requirements: narrowed(wanted.requirements, oneOf(labels.capacityType, [capacityType])),
});

/**
 * The planned node with only these of its instance types and with these requirements; undefined when none of them can
 * be bought.
 */
export const narrowPlannedNode = (
  planned: PlannedNode,
  instanceTypes: readonly InstanceType[],
  wanted: NodeRequirements,
): PlannedNode | undefined => {
  const byPrice = orderByPrice(instanceTypes, wanted);
  const [instanceType] = byPrice;
  const offering = instanceType && cheapestOffering(instanceType, wanted);
  if (instanceType === undefined || offering === undefined) return undefined;
  const names = oneOf(
    labels.instanceType,
    byPrice.map(({ name }) => name),
  );
  const requirements = specsOf(narrowed(wanted.requirements, names));
  return {
    ...planned,
    instanceTypes: byPrice,
    cheapest: { instanceType, offering },
    claim: { ...planned.claim, spec: { ...planned.claim.spec, requirements } },
  };
};
