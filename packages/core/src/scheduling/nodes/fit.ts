import { amountAt, childOf, hasBit, intersectInto, isEmptyBitSet, memoByObject, nextBit, removeBit } from '../../base/index.ts';
import type { BitSet } from '../../base/index.ts';
import type { AllowedTypes, Column, Fit, NodeState, PricedType } from './node-model.ts';
import { addVariety, minValuesOf, rankOf, varietiesOf } from '../../catalog/index.ts';
import type { InstanceType } from '../../catalog/index.ts';
import { typesByPrice } from './node-state.ts';

/**
 * Removes types that come in several sizes unless every launchable size is in the set: a claim names a type, not a size.
 * Differs: the original accepts a type when any of its sizes will do, and the cloud may launch another.
 */
const keepWholeTypes = (types: BitSet, { types: launchable, template }: NodeState): void => {
  for (const sizes of template.catalog.sizesOfType) {
    if (sizes.every((size) => hasBit(types, size) || !hasBit(launchable, size))) continue;
    for (const size of sizes) removeBit(types, size);
  }
};

/** The least and the most that any of the types has of the resource. */
const boundsIn = (types: BitSet, { amounts, uniform }: Column): readonly [number, number] => {
  if (uniform !== undefined) return [uniform, Math.max(0, uniform)];
  let least = Number.POSITIVE_INFINITY;
  let most = 0;
  for (let type = nextBit(types, 0); type >= 0; type = nextBit(types, type + 1)) {
    const amount = amountAt(amounts, type);
    if (amount < least) least = amount;
    if (amount > most) most = amount;
  }
  return [least, most];
};

const boundsOf = (types: BitSet, columns: readonly Column[]): Pick<Fit, 'least' | 'most'> => {
  const bounds = { least: new Float64Array(columns.length), most: new Float64Array(columns.length) };
  columns.forEach((column, resource) => {
    [bounds.least[resource], bounds.most[resource]] = boundsIn(types, column);
  });
  return bounds;
};

/** The types of a set, cheapest first by the offerings of the state. */
const pricedTypesIn = (state: NodeState, types: BitSet): readonly PricedType[] =>
  typesByPrice(state).filter(({ type }) => hasBit(types, type));

/** The same as `pricedTypesIn`, as instance types. */
export const instanceTypesIn = (state: NodeState, types: BitSet): readonly InstanceType[] => {
  const { catalog } = state.template;
  return pricedTypesIn(state, types).flatMap(({ type }) => catalog.types.slice(type, type + 1));
};

const cheapestIn = (state: NodeState, types: BitSet): PricedType | undefined => typesByPrice(state).find(({ type }) => hasBit(types, type));

/** Whether the types, by default all that the state may become, are as various as `minValues` ask. */
export const meetsMinValues = (state: NodeState, types: BitSet = state.types): boolean =>
  !state.template.enforcesMinValues || minValuesOf(state.requirements, instanceTypesIn(state, types)).kind === 'met';

/** The fit of a set of types that was made for it; undefined when it is empty or does not meet `minValues`. */
const fitWith = (state: NodeState, types: BitSet): Fit | undefined => {
  keepWholeTypes(types, state);
  if (isEmptyBitSet(types) || !meetsMinValues(state, types)) return undefined;
  const cheapest = cheapestIn(state, types);
  return cheapest === undefined ? undefined : { state, types, cheapest, ...boundsOf(types, state.template.columns) };
};

/** The same load on fewer types; undefined when none is left, or too few for `minValues`. */
export const narrowedFit = ({ state, types }: Fit, allowed: BitSet): Fit | undefined => {
  const left = types.slice();
  intersectInto(left, allowed);
  return fitWith(state, left);
};

const rankIn = (column: Column | undefined, used: number): number => (column === undefined ? 0 : rankOf(column.ranks, used));

const compute = (state: NodeState, used: Float64Array, allowedTypes: AllowedTypes): Fit | undefined => {
  const types = state.types.slice();
  intersectInto(types, allowedTypes.types);
  const { columns } = state.template;
  for (let resource = 0; resource < columns.length; resource++) {
    const column = columns[resource];
    if (column?.uniform !== undefined) continue;
    const atLeast = column?.ranks.atLeast[rankIn(column, amountAt(used, resource))];
    if (atLeast === undefined) return undefined;
    intersectInto(types, atLeast);
  }
  return fitWith(state, types);
};

const isFit = (found: Fit | 'none'): found is Fit => found !== 'none';

/**
 * What can carry the load in the state; undefined when nothing can. `used` is indexed by resource. Found along the
 * ranks of the load: nothing is made.
 */
export const fitOf = (state: NodeState, used: Float64Array, allowedTypes: AllowedTypes): Fit | undefined => {
  const { columns } = state.template;
  let at = childOf(state.fits, allowedTypes.id);
  for (let resource = 0; resource < columns.length; resource++) {
    const column = columns[resource];
    if (column?.uniform === undefined) at = childOf(at, rankIn(column, amountAt(used, resource)));
    else if (amountAt(used, resource) > column.uniform) return undefined;
  }
  at.value ??= compute(state, used, allowedTypes) ?? 'none';
  return isFit(at.value) ? at.value : undefined;
};

/** Fit → key → how many distinct values it offers, counted up to `minValues`. */
const varietyOf = memoByObject((fit: Fit): ReadonlyMap<string, number> => {
  const varieties = varietiesOf(fit.state.requirements);
  for (const type of instanceTypesIn(fit.state, fit.types)) addVariety(varieties, type);
  return new Map(varieties.map(({ key, wanted, found }) => [key, Math.min(wanted, found.size)]));
});

/** How many distinct values the node lacks of what `minValues` ask for as a preference (`BestEffort`). */
export const missingVariety = (fit: Fit): number => {
  if (!fit.state.template.prefersMinValues) return 0;
  const offered = varietyOf(fit);
  return varietiesOf(fit.state.requirements).reduce((missing, { key, wanted }) => missing + wanted - (offered.get(key) ?? 0), 0);
};

/**
 * Whether a new node keeps the variety that it offers of `minValues`. Under the policy `BestEffort` it may open with
 * less than they require, but no later pod may reduce it further.
 */
export const keepsVariety = (before: Fit, after: Fit): boolean => {
  if (before === after || !before.state.template.prefersMinValues) return true;
  const left = varietyOf(after);
  return [...varietyOf(before)].every(([key, count]) => (left.get(key) ?? 0) >= count);
};
