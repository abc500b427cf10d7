import { HOST } from '../topology/domain-table.ts';
import type { Checks, SpreadCheck } from '../topology/checks.ts';
import type { ClassTopology } from '../topology/class-topology.ts';
import type { Group } from '../topology/group.ts';

/** What a pod has to do with the others on its host. */
export interface HostRules {
  readonly avoids: readonly Group[];
  readonly spreads: readonly SpreadCheck[];
  readonly gives: readonly Group[];
}

const onlyWayOf = ({ ways }: ClassTopology): Checks | undefined => {
  const [only] = ways;
  return only === undefined || ways.length > 1 || only.host.joins.length > 0 ? undefined : only;
};

/** Whether a class is tied to the hosts that its pods were placed on. */
export const isTiedToHost = (topology: ClassTopology): boolean => onlyWayOf(topology) === undefined;

/**
 * The rules of a class that is free to change its host; undefined when it is tied to the one that it was placed on, because it joins others
 * there, or because it has wishes that another host might not meet.
 */
export const hostRulesOf = (topology: ClassTopology): HostRules | undefined => {
  const only = onlyWayOf(topology);
  if (only === undefined) return undefined;
  const { gives } = topology;
  return { avoids: only.host.apart, spreads: only.host.spreads, gives: gives.filter(({ key }) => key === HOST) };
};

/** Whether a pod of the rules has anything to do with others on its host. */
export const hasRules = ({ avoids, spreads, gives }: HostRules): boolean => avoids.length + spreads.length + gives.length > 0;

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

  /** Nobody is there any more. */
  clear(): void {
    this.#counts.clear();
    this.#caps.clear();
  }

  #capOf(group: Group): number {
    return this.#caps.get(group) ?? Number.POSITIVE_INFINITY;
  }

  #countOf(group: Group): number {
    return this.#counts.get(group) ?? 0;
  }
}
