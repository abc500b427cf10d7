import { memoByObject } from '../base/index.ts';
import type { Resources } from '../kube/index.ts';
import type { InstanceType } from './instance-type.ts';

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
