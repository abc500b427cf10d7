import type { Group } from './group.ts';

export interface SpreadCheck {
  readonly group: Group;
  readonly maxSkew: number;
  readonly minDomains: number;
  /** 1 when the pod counts itself. */
  readonly self: 0 | 1;
}

/** Groups of one set of affinity terms: each must have a pod in the domain, or the pod is the first of them all. */
export interface JoinCheck {
  readonly groups: readonly Group[];
  /** Every group of the set, whatever its key. */
  readonly whole: readonly Group[];
  readonly meansItself: boolean;
}

/** Checks that ask about the domains of some keys. */
export interface CheckList {
  readonly apart: readonly Group[];
  readonly spreads: readonly SpreadCheck[];
  readonly joins: readonly JoinCheck[];
}

/** What is asked of a place for one pod of a class, with some of its wishes or none. */
export interface Checks {
  /** Keys but the host name whose domain must be settled for a pod of the class to come. */
  readonly keys: readonly number[];
  /** About the host. What a host refuses by `apart` or `spreads` it refuses for good. */
  readonly host: CheckList;
  /** About the domains of all other keys. */
  readonly wide: CheckList;
}

/** Whether no pod that the set means is anywhere, so that one that means itself may be the first. */
export const mayStart = ({ whole, meansItself }: JoinCheck): boolean => meansItself && whole.every(({ counter }) => counter.total === 0);

/** Hosts can always be added, so the least count over hosts is taken for zero. */
const leastOf = ({ group: { floor }, minDomains }: SpreadCheck): number =>
  floor === undefined || floor.openDomains < minDomains ? 0 : floor.least;

/** The first group that keeps the pod out of the domains; undefined when none does. A negative domain: the label is missing. */
export const firstRefusal = ({ apart, spreads, joins }: CheckList, domainOf: (key: number) => number): Group | undefined => {
  for (const group of apart) {
    if (group.counter.at(domainOf(group.key)) > 0) return group;
  }
  for (const check of spreads) {
    const domain = domainOf(check.group.key);
    if (domain < 0 || check.group.counter.at(domain) + check.self - leastOf(check) > check.maxSkew) return check.group;
  }
  for (const join of joins) {
    const missing = join.groups.find(({ key, counter }) => domainOf(key) < 0 || (counter.at(domainOf(key)) === 0 && !mayStart(join)));
    if (missing !== undefined) return missing;
  }
  return undefined;
};
