import { collides } from '../pods/host-port.ts';
import type { BinderFilter } from './node-filter.ts';
import { ADMITTED } from './node-filter.ts';

const REFUSED = ["node(s) didn't have free ports for the requested pod ports"];

/** No two pods of a node hold the same port of it. */
export const hostPorts: BinderFilter = (pod, slot) => {
  if (pod.hostPorts.length === 0) return ADMITTED;
  for (const other of slot.pods.keys()) {
    if (other.hostPorts.some((taken) => pod.hostPorts.some((wanted) => collides(wanted, taken)))) return REFUSED;
  }
  return ADMITTED;
};
