import type { Requirements } from '../requirements/index.ts';
import type { InstanceType } from './instance-type.ts';
import { addVariety, isVarious, varietiesOf } from './min-values.ts';

/**
 * Types that bring values which those before them lack, until every `minValues` is met: as few as a walk from the
 * cheapest on finds.
 */
const neededTypes = (types: readonly InstanceType[], requirements: Requirements): ReadonlySet<InstanceType> => {
  const varieties = varietiesOf(requirements);
  const needed = new Set<InstanceType>();
  for (const type of types) {
    if (varieties.every(isVarious)) break;
    if (addVariety(varieties, type)) needed.add(type);
  }
  return needed;
};

/**
 * At most `most` of the types, in the order given (the cheapest first): those that `minValues` needs, wherever they
 * stand, and the first of the others. More than `most` only where `minValues` needs more by itself. Differs: the
 * original takes the first `most` and gives the claim up when those happen to lack variety.
 */
export const cheapestVarious = (types: readonly InstanceType[], requirements: Requirements, most: number): readonly InstanceType[] => {
  if (types.length <= most) return types;
  const needed = neededTypes(types, requirements);
  let free = most - needed.size;
  return types.filter((type) => needed.has(type) || free-- > 0);
};
