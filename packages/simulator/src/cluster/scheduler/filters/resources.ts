import type { NodeFilter } from './node-filter.ts';
import { ADMITTED } from './node-filter.ts';

const wordsFor = (resource: string): string => (resource === 'pods' ? 'Too many pods' : `Insufficient ${resource}`);

/** The requested resources must be free. Names each resource that is short. */
export const resources: NodeFilter = (pod, slot) => {
  let short: string[] | undefined;
  for (const [name, amount] of pod.requests) {
    const left = (slot.allocatable[name] ?? 0) - (slot.used.get(name) ?? 0);
    if (amount > left) (short ??= []).push(wordsFor(name));
  }
  return short ?? ADMITTED;
};
