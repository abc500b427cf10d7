import { getOrMake, idAt } from '../../base/index.ts';
import { HOST } from '../topology/domain-table.ts';
import type { Checks, Group, SpreadCheck } from '../topology/group.ts';
import type { ClassTopology } from '../topology/class-topology.ts';

/** The constraints of a pod relative to the other pods on its host. */
export interface HostRules {
  readonly antiAffinity: readonly Group[];
  readonly spreads: readonly SpreadCheck[];
  readonly countedBy: readonly Group[];
}

/** Whether pods that were placed with these checks must stay on their hosts: they joined others there. */
export const isTiedToHost = ({ host }: Checks): boolean => host.affinity.length > 0;

/**
 * The host rules of pods of a class that were placed with these checks: with the preferences that could be had then.
 * Undefined when they must stay.
 */
export const hostRulesOf = ({ countedBy }: ClassTopology, checks: Checks): HostRules | undefined => {
  if (isTiedToHost(checks)) return undefined;
  const { antiAffinity, spreads } = checks.host;
  return { antiAffinity, spreads, countedBy: countedBy.filter(({ key }) => key === HOST) };
};

/** Whether the rules constrain anything. */
export const hasRules = ({ antiAffinity, spreads, countedBy }: HostRules): boolean =>
  antiAffinity.length + spreads.length + countedBy.length > 0;

/** A spread over hosts: the number of its group, and whether the pod counts itself. */
interface NumberedSpread {
  readonly group: number;
  readonly maxSkew: number;
  readonly countsItself: boolean;
}

/** Host rules with numbers for groups: they are compared with hosts for each pod that is packed. */
export interface NumberedRules {
  readonly avoided: Int32Array;
  readonly avoidsItself: boolean;
  readonly spreads: readonly NumberedSpread[];
  readonly countedBy: Int32Array;
}

/** Numbers the groups of the rules of one packing. */
export class HostGroups {
  readonly #numbers = new Map<Group, number>();

  /** How many groups have a number. */
  get size(): number {
    return this.#numbers.size;
  }

  /** Undefined where the rules constrain nothing. */
  numbered(rules: HostRules): NumberedRules | undefined {
    if (!hasRules(rules)) return undefined;
    const { antiAffinity, spreads, countedBy } = rules;
    // A set: thousands of pods that keep each other away have as long lists each.
    const counting = new Set(countedBy);
    return {
      avoided: Int32Array.from(antiAffinity, (group) => this.#numberOf(group)),
      avoidsItself: antiAffinity.some((group) => counting.has(group)),
      spreads: spreads.map(({ group, maxSkew }) => ({ group: this.#numberOf(group), maxSkew, countsItself: counting.has(group) })),
      countedBy: Int32Array.from(countedBy, (group) => this.#numberOf(group)),
    };
  }

  #numberOf(group: Group): number {
    return getOrMake(this.#numbers, group, () => this.#numbers.size);
  }
}

/** More pods than any host takes. */
const NO_CAP = 2 ** 30;

/** How many pods each group counts on one host. Spreads hold in whatever order pods are added. */
export class HostOccupancy {
  readonly #counts: Int32Array;
  readonly #caps: Int32Array;
  #hasCaps = false;
  #isEmpty = true;

  /** `groupCount`: of the groups that number the rules, all numbered by now. */
  constructor(groupCount: number) {
    this.#counts = new Int32Array(groupCount);
    this.#caps = new Int32Array(groupCount).fill(NO_CAP);
  }

  /**
   * How many more pods with these rules the host takes, at most `most`. Runs for each pod that is packed, so it
   * allocates nothing.
   */
  roomFor({ avoided, avoidsItself, spreads, countedBy }: NumberedRules, most: number): number {
    if (this.#countsAny(avoided)) return 0;
    let room = avoidsItself ? Math.min(most, 1) : most;
    if (spreads.length > 0) room = Math.min(room, this.#roomInSpreads(spreads));
    return this.#hasCaps ? Math.min(room, this.#roomUnderCaps(countedBy)) : room;
  }

  add({ avoided, spreads, countedBy }: NumberedRules, count: number): void {
    this.#isEmpty = false;
    const counts = this.#counts;
    for (const group of countedBy) counts[group] = idAt(counts, group) + count;
    for (const group of avoided) this.#cap(group, idAt(counts, group));
    for (const { group, maxSkew } of spreads) this.#cap(group, maxSkew);
  }

  /** Empties the host. */
  clear(): void {
    if (this.#isEmpty) return;
    this.#isEmpty = true;
    this.#hasCaps = false;
    this.#counts.fill(0);
    this.#caps.fill(NO_CAP);
  }

  #countsAny(groups: Int32Array): boolean {
    for (let i = 0; i < groups.length; i++) if (idAt(this.#counts, idAt(groups, i)) > 0) return true;
    return false;
  }

  #roomInSpreads(spreads: NumberedRules['spreads']): number {
    let room = Number.POSITIVE_INFINITY;
    for (const { group, maxSkew, countsItself } of spreads) {
      const left = maxSkew - idAt(this.#counts, group);
      if (countsItself) room = Math.min(room, left);
      else if (left < 0) room = Math.min(room, 0);
    }
    return room;
  }

  #roomUnderCaps(countedBy: Int32Array): number {
    let room = Number.POSITIVE_INFINITY;
    for (let i = 0; i < countedBy.length; i++) {
      const group = idAt(countedBy, i);
      const cap = idAt(this.#caps, group);
      if (cap < NO_CAP) room = Math.min(room, cap - idAt(this.#counts, group));
    }
    return room;
  }

  #cap(group: number, most: number): void {
    this.#hasCaps = true;
    this.#caps[group] = Math.min(most, idAt(this.#caps, group));
  }
}
