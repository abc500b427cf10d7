import { HOST } from '../topology/domain-table.ts';
import type { SpreadCheck } from '../topology/checks.ts';
import type { ClassTopology } from '../topology/class-topology.ts';
import type { Group } from '../topology/group.ts';

/** What a pod has to do with the others on its host. */
export interface HostRules {
  readonly avoids: readonly Group[];
  readonly spreads: readonly SpreadCheck[];
  readonly gives: readonly Group[];
}

/**
 * The rules of a class that is free to change its host; undefined when it is tied to the one that it was placed on, because it joins others
 * there, or because it has wishes that another host might not meet.
 */
export const hostRulesOf = ({ ways, gives }: ClassTopology): HostRules | undefined => {
  const [only, ...others] = ways;
  if (only === undefined || others.length > 0 || only.host.joins.length > 0) return undefined;
  return { avoids: only.host.apart, spreads: only.host.spreads, gives: gives.filter(({ key }) => key === HOST) };
};

/** The pods that share one host, as far as rules speak of them. A spread is kept whatever the order in which they come. */
export class HostCrowd {
  readonly #counts = new Map<Group, number>();
  readonly #caps = new Map<Group, number>();

  /** How many pods of the rules, at most `most`, the host takes. Asked for each pod that is packed, so nothing is made for an answer. */
  roomFor({ avoids, spreads, gives }: HostRules, most: number): number {
    let room = most;
    for (const group of avoids) {
      if (this.#countOf(group) > 0) return 0;
      if (gives.includes(group)) room = Math.min(room, 1);
    }
    for (const { group, maxSkew } of spreads) {
      const left = maxSkew - this.#countOf(group);
      if (gives.includes(group)) room = Math.min(room, left);
      else if (left < 0) room = Math.min(room, 0);
    }
    if (this.#caps.size > 0) for (const group of gives) room = Math.min(room, this.#capOf(group) - this.#countOf(group));
    return room;
  }

  add({ spreads, gives }: HostRules, count: number): void {
    for (const group of gives) this.#counts.set(group, this.#countOf(group) + count);
    for (const { group, maxSkew } of spreads) this.#caps.set(group, Math.min(maxSkew, this.#caps.get(group) ?? maxSkew));
  }

  #capOf(group: Group): number {
    return this.#caps.get(group) ?? Number.POSITIVE_INFINITY;
  }

  #countOf(group: Group): number {
    return this.#counts.get(group) ?? 0;
  }
}
