import { compareText, memoByObject } from '../base/index.ts';
import type { Resources } from '../kube/index.ts';
import type { InstanceType, Offering } from './instance-type.ts';

const compute = ({ capacity, overhead }: InstanceType): Resources => {
  const result: Record<string, number> = {};
  let hugePages = 0;
  for (const [name, amount] of Object.entries(capacity)) {
    result[name] = amount - (overhead[name] ?? 0);
    if (name.startsWith('hugepages-')) hugePages += amount;
  }
  if (hugePages > 0) result['memory'] = Math.max(0, (result['memory'] ?? 0) - hugePages);
  return result;
};

/**
 * What pods can have of a machine: capacity less overhead, and less the memory that huge pages took. Remembered per
 * type object. Source: the original's `InstanceType.Allocatable`.
 */
export const allocatableOf: (type: InstanceType) => Resources = memoByObject(compute);

const textOf = (amounts: Resources | undefined): string =>
  Object.entries(amounts ?? {})
    .sort(([a], [b]) => compareText(a, b))
    .map(([name, amount]) => `${name}=${amount}`)
    .join();

const overridesOf = ({ capacityOverride, overheadOverride }: Offering): string => {
  if (capacityOverride === undefined && overheadOverride === undefined) return '';
  return `${textOf(capacityOverride)} less ${textOf(overheadOverride)}`;
};

const groupOf = (type: InstanceType, offerings: readonly Offering[]): InstanceType => {
  const [first] = offerings;
  return {
    ...type,
    offerings,
    capacity: { ...type.capacity, ...first?.capacityOverride },
    overhead: { ...type.overhead, ...first?.overheadOverride },
  };
};

/**
 * A type as several, one for each size that its offerings give it, in an order that depends on the sizes only; the type
 * itself, as the very object, where all are of one size. All have the name of the type.
 */
export const allocatableGroups = (type: InstanceType): readonly InstanceType[] => {
  if (type.offerings.every((offering) => overridesOf(offering) === '')) return [type];
  const groups = new Map<string, Offering[]>();
  for (const offering of type.offerings) {
    const key = overridesOf(offering);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [offering]);
    else group.push(offering);
  }
  return [...groups].sort(([a], [b]) => compareText(a, b)).map(([, offerings]) => groupOf(type, offerings));
};
