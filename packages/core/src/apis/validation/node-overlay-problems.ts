import type { FieldProblem } from '../../base/index.ts';
import { parseQuantity } from '../../kube/index.ts';
import type { LabelCatalog } from '../label-catalog.ts';
import { STANDARD_RESOURCES } from '../node-overlay.ts';
import type { NodeOverlay, NodeOverlaySpec } from '../node-overlay.ts';
import { priceChangeOf } from '../price-change.ts';
import { requirementProblems } from './requirement-problems.ts';

const priceProblems = ({ price, priceAdjustment }: NodeOverlaySpec): readonly FieldProblem[] => {
  const problems: FieldProblem[] = [];
  if (price !== undefined && priceChangeOf(price)?.kind !== 'replace')
    problems.push({ field: 'spec.price', value: price, problem: 'must be dollars an hour up to 1e9, such as 0.25' });
  if (priceAdjustment === undefined) return problems;
  if ((priceChangeOf(priceAdjustment)?.kind ?? 'replace') === 'replace')
    problems.push({ field: 'spec.priceAdjustment', value: priceAdjustment, problem: 'must be such as +0.5, -0.5, +10% or -15%' });
  if (price !== undefined)
    problems.push({
      field: 'spec.priceAdjustment',
      value: priceAdjustment,
      problem: 'cannot be combined with price; leave one of them out',
    });
  return problems;
};

const amountProblem = (name: string, amount: string): string | undefined => {
  if (STANDARD_RESOURCES.has(name)) return 'is for the provider to say; an overlay may state extended resources only';
  const parsed = parseQuantity(amount)?.nanos;
  return parsed === undefined || parsed < 0n ? 'must be a quantity of at least 0, such as 1, 100m or 64Gi' : undefined;
};

const capacityProblems = (capacity: NonNullable<NodeOverlaySpec['capacity']>): readonly FieldProblem[] =>
  Object.entries(capacity).flatMap(([name, amount]) => {
    const problem = amountProblem(name, String(amount));
    return problem === undefined ? [] : [{ field: `spec.capacity.${name}`, value: String(amount), problem }];
  });

const weightProblems = ({ weight }: NodeOverlaySpec): readonly FieldProblem[] =>
  weight === undefined || (Number.isInteger(weight) && weight >= 1 && weight <= 10_000)
    ? []
    : [{ field: 'spec.weight', value: String(weight), problem: 'must be an integer from 1 to 10000' }];

/** Everything that is wrong with a NodeOverlay, as far as it can be seen in the overlay itself and the provider's labels. */
export const nodeOverlayProblems = ({ spec }: NodeOverlay, catalog: LabelCatalog): readonly FieldProblem[] => [
  ...spec.requirements.flatMap((requirement, i) => {
    const field = `spec.requirements[${i}]`;
    const excludesNothing = requirement.operator === 'NotIn' && (requirement.values ?? []).length === 0;
    return [
      ...requirementProblems(field, requirement, { catalog, forNodePool: false }),
      ...(excludesNothing ? [{ field, value: `${requirement.key} NotIn []`, problem: 'NotIn takes at least one value' }] : []),
    ];
  }),
  ...priceProblems(spec),
  ...capacityProblems(spec.capacity ?? {}),
  ...weightProblems(spec),
];
