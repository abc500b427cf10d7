import type { Group } from './group.ts';

export interface SpreadCheck {
  readonly group: Group;
  readonly maxSkew: number;
  readonly minDomains: number;
  /** 1 when the pod counts itself. */
  readonly self: 0 | 1;
}

/** Groups of one set of affinity terms: each must count a pod in the domain, unless the pod may be the first. */
export interface AffinityCheck {
  readonly groups: readonly Group[];
  /** Every group of the set, whatever its key. */
  readonly allGroups: readonly Group[];
  readonly selectsItself: boolean;
}

/** Constraints that read the domains of some keys. */
export interface CheckList {
  readonly antiAffinity: readonly Group[];
  readonly spreads: readonly SpreadCheck[];
  readonly affinity: readonly AffinityCheck[];
}

/** What is checked of a place for a pod of a class, with some of its preferences or none. */
export interface Checks {
  /** Keys, the host name aside, whose domain must be settled before a pod of the class joins a node. */
  readonly keys: readonly number[];
  /** About the host. What a host refuses because of `antiAffinity` or `spreads` it refuses for good. */
  readonly host: CheckList;
  /** About the domains of all other keys. */
  readonly wide: CheckList;
}

/** Whether nothing that the terms select exists anywhere: then a pod that they select themselves may be the first. */
export const mayBeFirst = ({ allGroups, selectsItself }: AffinityCheck): boolean =>
  selectsItself && allGroups.every(({ counter }) => counter.total === 0);

/** A new host can always be added, so the least count over hosts is zero. */
const leastOf = ({ group: { minimum }, minDomains }: SpreadCheck): number =>
  minimum === undefined || minimum.eligibleDomains < minDomains ? 0 : minimum.least;

/** The first group that has no pod where the affinity asks for one. */
const firstMissing = (affinity: readonly AffinityCheck[], domainOf: (key: number) => number): Group | undefined => {
  for (const join of affinity) {
    for (const group of join.groups) {
      const domain = domainOf(group.key);
      if (domain < 0 || (group.counter.at(domain) === 0 && !mayBeFirst(join))) return group;
    }
  }
  return undefined;
};

/**
 * The first group that keeps a pod out of these domains; undefined when none does. A negative domain: the node lacks
 * the label.
 */
export const firstRefusal = ({ antiAffinity, spreads, affinity }: CheckList, domainOf: (key: number) => number): Group | undefined => {
  for (const group of antiAffinity) {
    if (group.counter.at(domainOf(group.key)) > 0) return group;
  }
  for (const check of spreads) {
    const domain = domainOf(check.group.key);
    if (domain < 0 || check.group.counter.at(domain) + check.self - leastOf(check) > check.maxSkew) return check.group;
  }
  return affinity.length === 0 ? undefined : firstMissing(affinity, domainOf);
};

/** Whether a pod that is counted already, and by which groups, has in these domains what the checks ask. */
export const isMetBeside = (
  { antiAffinity, spreads, affinity }: CheckList,
  countedBy: readonly Group[],
  domainOf: (key: number) => number,
): boolean => {
  const othersIn = (group: Group): number => group.counter.at(domainOf(group.key)) - Number(countedBy.includes(group));
  return (
    antiAffinity.every((group) => othersIn(group) <= 0) &&
    spreads.every(
      (check) => domainOf(check.group.key) >= 0 && check.group.counter.at(domainOf(check.group.key)) - leastOf(check) <= check.maxSkew,
    ) &&
    affinity.every(({ groups }) => groups.every((group) => domainOf(group.key) >= 0 && othersIn(group) > 0))
  );
};
