import { compareText } from '../base/index.ts';
import { describeRequirement, intersects } from '../requirements/index.ts';
import type { Requirement } from '../requirements/index.ts';
import { compatibleOfferings } from './compatible-offerings.ts';
import type { NodeRequirements } from './compatible-offerings.ts';
import type { InstanceType } from './instance-type.ts';
import { minValuesOf } from './min-values.ts';
import type { MinValuesShortfall } from './min-values.ts';

/** How many of the instance types on offer meet what a NodePool requires. */
export interface PoolMatch {
  readonly total: number;
  /** Types that meet every requirement, in stock or not. */
  readonly types: number;
  /** Available offerings of these. */
  readonly offerings: number;
  /** Requirements in order of labels, each with the types that it removes of those that the ones before it left. */
  readonly removedBy: readonly { readonly requirement: string; readonly removed: number }[];
  /** The `minValues` that the types with available offerings do not reach. */
  readonly shortfalls: readonly MinValuesShortfall[];
}

const meets = ({ requirements }: InstanceType, wanted: Requirement): boolean => {
  const own = requirements.get(wanted.key);
  return own === undefined || intersects(own, wanted);
};

/** Compares the types with the requirements of a pool, label by label. Costs types × requirements. */
export const poolMatch = (instanceTypes: readonly InstanceType[], wanted: NodeRequirements): PoolMatch => {
  let left = instanceTypes;
  const removedBy: { requirement: string; removed: number }[] = [];
  for (const requirement of [...wanted.requirements.values()].sort((a, b) => compareText(a.key, b.key))) {
    const kept = left.filter((type) => meets(type, requirement));
    if (kept.length < left.length) removedBy.push({ requirement: describeRequirement(requirement), removed: left.length - kept.length });
    left = kept;
  }
  const counts = left.map((type) => compatibleOfferings(type, wanted).length);
  const offerings = counts.reduce((sum, count) => sum + count, 0);
  const sold = left.filter((_, index) => counts[index] !== 0);
  const variety = minValuesOf(wanted.requirements, sold);
  const shortfalls = variety.kind === 'short' ? variety.shortfalls : [];
  return { total: instanceTypes.length, types: left.length, offerings, removedBy, shortfalls };
};
