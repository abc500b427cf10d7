import type { NodeSlot } from '../node-slot.ts';
import type { BinderFilter } from './node-filter.ts';
import { ADMITTED } from './node-filter.ts';

const wordsFor = (resource: string): string => (resource === 'pods' ? 'Too many pods' : `Insufficient ${resource}`);

/** The requested resources must be free, but for those that devices meet on the node. Names each resource that is short. */
export const resourcesBesides =
  (isMetWithDevices: (resource: string, slot: NodeSlot) => boolean): BinderFilter =>
  (pod, slot) => {
    let short: string[] | undefined;
    for (const [name, amount] of pod.requests) {
      const left = (slot.allocatable[name] ?? 0) - (slot.used.get(name) ?? 0);
      if (amount > left && !isMetWithDevices(name, slot)) (short ??= []).push(wordsFor(name));
    }
    return short ?? ADMITTED;
  };
