import { ROUNDING } from '../../base/index.ts';
import { capacityTypes, labels } from '../../apis/index.ts';
import type { LabelCatalog } from '../../apis/index.ts';
import { allocatableGroups, allocatableOf, cheapestOffering, minValuesOf, orderByPrice, worstLaunchPrice } from '../../catalog/index.ts';
import type { InstanceType, NodeRequirements } from '../../catalog/index.ts';
import type { NodePoolView } from '../../cluster/index.ts';
import { podRequests, sumResources } from '../../kube/index.ts';
import type { Pod } from '../../kube/index.ts';
import { admits, and, inValues, requirementsOf, specsOf } from '../../requirements/index.ts';
import type { Requirement, Requirements } from '../../requirements/index.ts';
import type { PlannedNode } from '../../scheduling/index.ts';
import type { Blocker } from '../blockers/blocker.ts';
import { plannedPrice } from '../candidates/candidate.ts';
import type { Candidate } from '../candidates/candidate.ts';
import type { DisruptionContext } from '../disruption-context.ts';

const RESOURCES = ['cpu', 'memory'] as const;

/**
 * A lower bound on the price of new machines for the pods: their requests of a resource, at the lowest price per unit
 * of any available offering. No packing is cheaper, since no machine carries more than it has; 0 where nothing is
 * known.
 */
export const leastPriceAmong = (pools: readonly NodePoolView[]): ((pods: readonly Pod[]) => number) => {
  let prices: readonly number[] | undefined;
  const types = [...new Set(pools.flatMap(({ instanceTypes }) => instanceTypes))];
  const unitPrices = (): readonly number[] =>
    RESOURCES.map((resource) => {
      let least = Number.POSITIVE_INFINITY;
      for (const type of types.flatMap(allocatableGroups)) {
        const amount = allocatableOf(type)[resource] ?? 0;
        for (const { isAvailable, pricePerHour } of type.offerings) {
          if (isAvailable && amount > 0) least = Math.min(least, pricePerHour / amount);
        }
      }
      return Number.isFinite(least) ? least : 0;
    });
  return (pods) => {
    prices ??= unitPrices();
    const requests = sumResources(pods.map(podRequests));
    return Math.max(0, ...RESOURCES.map((resource, index) => (requests[resource] ?? 0) * (prices?.[index] ?? 0)));
  };
};

const narrowed = (requirements: Requirements, requirement: Requirement): Requirements => {
  const before = requirements.get(requirement.key);
  return new Map(requirements).set(requirement.key, before === undefined ? requirement : and(before, requirement));
};

/** What the claim of a planned node asks of its machine. */
const wantedOf = ({ claim }: PlannedNode, labelCatalog: LabelCatalog): NodeRequirements => ({
  requirements: requirementsOf(claim.spec.requirements, labelCatalog),
  labelCatalog,
});

/** The same, restricted to one capacity type. */
const wantedAs = (wanted: NodeRequirements, capacityType: string): NodeRequirements => ({
  ...wanted,
  requirements: narrowed(wanted.requirements, inValues(labels.capacityType, [capacityType])),
});

/**
 * The planned node with only these of its instance types and with these requirements; undefined when none of them can
 * be bought.
 */
const narrowPlannedNode = (
  planned: PlannedNode,
  instanceTypes: readonly InstanceType[],
  wanted: NodeRequirements,
): PlannedNode | undefined => {
  const byPrice = orderByPrice(instanceTypes, wanted);
  const [instanceType] = byPrice;
  const offering = instanceType && cheapestOffering(instanceType, wanted);
  if (instanceType === undefined || offering === undefined) return undefined;
  const names = inValues(
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

/**
 * How many cheaper types a single spot node needs: with fewer, it would drift towards the cheapest type, which is
 * reclaimed most.
 */
const SPOT_TYPES_TO_CHOOSE_AMONG = 15;

/** What the candidates cost together, per hour. */
export const totalPrice = (candidates: readonly Candidate[]): number => candidates.reduce((sum, { pricePerHour }) => sum + pricePerHour, 0);

const mayBe = ({ requirements }: NodeRequirements, capacityType: string): boolean => {
  const requirement = requirements.get(labels.capacityType);
  return requirement === undefined || admits(requirement, capacityType);
};

/** Whether the candidate is a spot machine. */
export const isSpot = ({ node }: Candidate): boolean => node.labels[labels.capacityType] === capacityTypes.spot;

/** Differences in price below this, per hour, are rounding errors and no savings. */

const typesBelow = (types: readonly InstanceType[], wanted: NodeRequirements, price: number): readonly InstanceType[] =>
  types.filter((type) => worstLaunchPrice(type, wanted) < price - ROUNDING);

/** The candidates, and the price per hour that a replacement, or each of several, must stay below. */
export interface PriceCap {
  readonly candidates: readonly Candidate[];
  readonly pricePerHour: number;
}

/** The same for the machine alone, and what each node costs beside it. */
interface MachineCap extends PriceCap {
  readonly nodePricePerHour: number;
}

/** The price to stay below where some candidates are of a type on offer: that of the cheapest of these. */
const strictestPrice = ({ candidates, pricePerHour, nodePricePerHour }: MachineCap, types: readonly InstanceType[]): number => {
  const offered = new Set(types.map(({ name }) => name));
  const again = candidates.filter(({ node }) => offered.has(node.labels[labels.instanceType] ?? ''));
  return Math.min(pricePerHour, ...again.map((each) => each.pricePerHour - nodePricePerHour));
};

/** Why a spot node is not replaced by another spot node. */
type SpotStays = { readonly kind: 'spot-to-spot-off' } | { readonly kind: 'spot-to-spot'; readonly cheaperTypes: number };

interface Choice {
  readonly types: readonly InstanceType[];
  readonly wanted: NodeRequirements;
}

/**
 * Where both spot and on-demand would be cheaper, only spot is requested: falling back to on-demand might cost more
 * than the candidates.
 */
const spotIfPossible = ({ types, wanted }: Choice, price: number): Choice => {
  if (!mayBe(wanted, capacityTypes.spot) || !mayBe(wanted, capacityTypes.onDemand)) return { types, wanted };
  const asSpot = wantedAs(wanted, capacityTypes.spot);
  const spotTypes = typesBelow(types, asSpot, price);
  return spotTypes.length > 0 ? { types: spotTypes, wanted: asSpot } : { types, wanted };
};

const spotChoice = (all: Choice, candidates: readonly Candidate[], price: number): Choice | SpotStays => {
  const wanted = wantedAs(all.wanted, capacityTypes.spot);
  const types = typesBelow(all.types, wanted, price);
  if (candidates.length > 1) return { types, wanted };
  if (types.length < SPOT_TYPES_TO_CHOOSE_AMONG) return { kind: 'spot-to-spot', cheaperTypes: types.length };
  const variety = minValuesOf(wanted.requirements, types);
  const needed = variety.kind === 'met' ? variety.typesNeeded : types.length;
  return { types: types.slice(0, Math.max(SPOT_TYPES_TO_CHOOSE_AMONG, needed)), wanted };
};

const choose = (all: Choice, cap: MachineCap, spotToSpot: boolean): Choice | SpotStays => {
  const { candidates, pricePerHour } = cap;
  const isSpotToSpot = candidates.every(isSpot) && mayBe(all.wanted, capacityTypes.spot);
  if (isSpotToSpot && !spotToSpot) return { kind: 'spot-to-spot-off' };
  const price = candidates.length > 1 ? strictestPrice(cap, typesBelow(all.types, all.wanted, pricePerHour)) : pricePerHour;
  if (isSpotToSpot) return spotChoice(all, candidates, price);
  return spotIfPossible({ types: typesBelow(all.types, all.wanted, price), wanted: all.wanted }, price);
};

/**
 * The planned node, limited to instance types that are certainly below the cap; or why there is none. A replacement
 * of the same type as one of several candidates must also be cheaper than that candidate alone. Otherwise that one
 * could simply have stayed. Source: the original's `computeConsolidation` and `filterOutSameInstanceType`.
 */
const cheaperReplacement = (
  planned: PlannedNode,
  cap: PriceCap,
  { policy, spotToSpot = false }: DisruptionContext,
): PlannedNode | Blocker => {
  const { nodePricePerHour = 0 } = policy;
  const prices = { pricePerHour: cap.pricePerHour, cheapestReplacement: plannedPrice([planned], policy) };
  const dearer: Blocker = { kind: 'no-cheaper-replacement', ...prices, replacements: 1 };
  // The dearest possible launch costs no less than the cheapest: this answers most full nodes without reading types.
  if (prices.cheapestReplacement >= prices.pricePerHour) return dearer;
  const machineCap = { ...cap, pricePerHour: cap.pricePerHour - nodePricePerHour, nodePricePerHour };
  const choice = choose({ types: planned.instanceTypes, wanted: wantedOf(planned, policy.labelCatalog) }, machineCap, spotToSpot);
  if ('kind' in choice) return { ...choice, ...prices };
  const variety = minValuesOf(choice.wanted.requirements, choice.types);
  if (variety.kind === 'short')
    return choice.types.length === 0 ? dearer : { kind: 'min-values', shortfalls: variety.shortfalls, ...prices };
  return narrowPlannedNode(planned, choice.types, choice.wanted) ?? dearer;
};

/**
 * The planned nodes, each capped at its share of the candidates' price, so that together they are certainly cheaper
 * whatever is launched; or why that is impossible.
 */
export const cheaperReplacements = (
  planned: readonly PlannedNode[],
  candidates: readonly Candidate[],
  context: DisruptionContext,
): readonly PlannedNode[] | Blocker => {
  const pricePerHour = totalPrice(candidates);
  const cheapestReplacement = plannedPrice(planned, context.policy);
  const prices = { pricePerHour, cheapestReplacement };
  const dearer: Blocker = { kind: 'no-cheaper-replacement', ...prices, replacements: planned.length };
  if (cheapestReplacement >= pricePerHour) return dearer;
  const held: PlannedNode[] = [];
  for (const each of planned) {
    const share = plannedPrice([each], context.policy) / cheapestReplacement;
    const replacement = cheaperReplacement(each, { candidates, pricePerHour: pricePerHour * share }, context);
    if ('kind' in replacement) return replacement.kind === 'no-cheaper-replacement' ? dearer : { ...replacement, ...prices };
    held.push(replacement);
  }
  return held;
};
