import { HOST } from '../topology/domain-table.ts';
import type { Checks, SpreadCheck } from '../topology/checks.ts';
import type { ClassTopology } from '../topology/class-topology.ts';
import type { Group } from '../topology/group.ts';

/** The constraints of a pod relative to the other pods on its host. */
export interface HostRules {
  readonly antiAffinity: readonly Group[];
  readonly spreads: readonly SpreadCheck[];
  readonly countedBy: readonly Group[];
}

/** Whether pods that were placed with these checks must stay on their hosts: they joined others there. */
export const isTiedToHost = ({ host }: Checks): boolean => host.affinity.length > 0;

/** The host rules of pods of a class that were placed with these checks: with the preferences that could be had then. Undefined when they must stay. */
export const hostRulesOf = ({ countedBy }: ClassTopology, checks: Checks): HostRules | undefined => {
  if (isTiedToHost(checks)) return undefined;
  const { antiAffinity, spreads } = checks.host;
  return { antiAffinity, spreads, countedBy: countedBy.filter(({ key }) => key === HOST) };
};

/** Whether the rules constrain anything. */
export const hasRules = ({ antiAffinity, spreads, countedBy }: HostRules): boolean =>
  antiAffinity.length + spreads.length + countedBy.length > 0;

/** How many pods each group counts on one host. Spreads hold in whatever order pods are added. */
export class HostOccupancy {
  readonly #counts = new Map<Group, number>();
  readonly #caps = new Map<Group, number>();

  /** How many more pods with these rules the host takes, at most `most`. Runs for each pod that is packed, so it allocates nothing. */
  roomFor({ antiAffinity, spreads, countedBy }: HostRules, most: number): number {
    let room = most;
    for (const group of antiAffinity) {
      if (this.#countOf(group) > 0) return 0;
      if (countedBy.includes(group)) room = Math.min(room, 1);
    }
    for (const { group, maxSkew } of spreads) {
      const left = maxSkew - this.#countOf(group);
      if (countedBy.includes(group)) room = Math.min(room, left);
      else if (left < 0) room = Math.min(room, 0);
    }
    if (this.#caps.size > 0) for (const group of countedBy) room = Math.min(room, this.#capOf(group) - this.#countOf(group));
    return room;
  }

  add({ antiAffinity, spreads, countedBy }: HostRules, count: number): void {
    for (const group of countedBy) this.#counts.set(group, this.#countOf(group) + count);
    for (const group of antiAffinity) this.#caps.set(group, Math.min(this.#countOf(group), this.#capOf(group)));
    for (const { group, maxSkew } of spreads) this.#caps.set(group, Math.min(maxSkew, this.#caps.get(group) ?? maxSkew));
  }

  /** Empties the host. */
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
