import { decimalIn } from '../base/index.ts';
import type { FieldProblem, NumberRange } from '../base/index.ts';
import { parseQuantity } from '../kube/index.ts';
import type { Condition, NodeSelectorRequirement, ObjectMeta, ResourceList } from '../kube/index.ts';
import { requirementProblems } from './field-problems.ts';
import type { LabelCatalog } from './label-catalog.ts';

/**
 * karpenter.sh/v1alpha1 NodeOverlay as plain JSON: overrides what the provider says about the price or capacity of some
 * instance types.
 */
export interface NodeOverlay {
  readonly apiVersion: 'karpenter.sh/v1alpha1';
  readonly kind: 'NodeOverlay';
  readonly metadata: ObjectMeta;
  readonly spec: NodeOverlaySpec;
  readonly status?: { readonly conditions?: readonly Condition[] };
}

/** Which instance types it applies to, and the price or capacity that it sets. */
export interface NodeOverlaySpec {
  /** Requirements on the labels of the node: those of the machine, and those of the NodePool's template. */
  readonly requirements: readonly NodeSelectorRequirement[];
  /** Dollars an hour, in place of the provider's. Not together with `priceAdjustment`. */
  readonly price?: string;
  /** `+0.5`, `-0.5`, `+10%`, `-15%`: added to the provider's price, which stays at least 0. */
  readonly priceAdjustment?: string;
  /** Extended resources that the machines have in addition to, or instead of, what the provider says. */
  readonly capacity?: ResourceList;
  /** 1–10000; where two overlays set the same thing, the higher weight wins. Absent is 0. */
  readonly weight?: number;
}

/** Condition types of a NodeOverlay. `Ready` is true when the first is. */
export const nodeOverlayConditions = { validationSucceeded: 'ValidationSucceeded', ready: 'Ready' } as const;

/** Resources that only the provider may state. */
export const STANDARD_RESOURCES: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage', 'pods']);

/** What a NodeOverlay does to a price: dollars an hour that replace it or are added, or percent of it that are added. */
export interface PriceChange {
  readonly kind: 'replace' | 'add' | 'percent';
  readonly amount: number;
}

/** No machine costs as much. */
const DOLLARS: NumberRange = { min: -1e9, max: 1e9 };
const PERCENT_MORE: NumberRange = { min: -100, max: 1e9 };

const kindOf = (text: string): PriceChange['kind'] => {
  if (!/^[+-]/.test(text)) return 'replace';
  return text.endsWith('%') ? 'percent' : 'add';
};

/**
 * Reads the `price` (`0.25`) or `priceAdjustment` (`+0.5`, `-15%`) of a NodeOverlay; undefined when malformed or out of
 * range.
 */
export const priceChangeOf = (text: string): PriceChange | undefined => {
  const kind = kindOf(text);
  const amount = kind === 'percent' ? decimalIn(text.slice(0, -1), PERCENT_MORE) : decimalIn(text, DOLLARS);
  return amount === undefined ? undefined : { kind, amount };
};

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
