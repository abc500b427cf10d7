import { firstRefusal } from '../topology/group.ts';
import type { Checks } from '../topology/group.ts';
import type { DomainTable } from '../topology/domain-table.ts';
import type { NodeState } from './node-model.ts';

const NONE: readonly (readonly NodeState[])[] = [];

/** How many pods the spreads count in the domains of the state: the fewer, the better a pod there spreads. */
const podCountOf = (state: NodeState, { wide }: Checks, domains: DomainTable): number =>
  wide.spreads.reduce((sum, { group }) => sum + group.counter.at(domains.domainOfState(state, group.key)), 0);

/** The states with one more key settled, perhaps as missing. */
const settling = (states: readonly NodeState[], key: number, domains: DomainTable): readonly NodeState[] => {
  const settle = (state: NodeState): readonly NodeState[] => {
    const settled = domains.settled(state, key);
    return settled.length === 0 ? domains.unlabelled(state, key) : settled;
  };
  const [only] = states;
  return only !== undefined && states.length === 1 ? settle(only) : states.flatMap(settle);
};

const byPodCount = (allowed: readonly NodeState[], checks: Checks, domains: DomainTable): readonly (readonly NodeState[])[] => {
  const byCount = new Map<number, NodeState[]>();
  for (const state of allowed) {
    const podCount = podCountOf(state, checks, domains);
    const equal = byCount.get(podCount);
    if (equal === undefined) byCount.set(podCount, [state]);
    else equal.push(state);
  }
  return [...byCount].sort(([a], [b]) => a - b).map(([, states]) => states);
};

/**
 * States that settle every key that the checks read, perhaps as missing, and that the checks allow: those that are
 * equally good together, the emptiest domain first (unless `domains.order` is `cheapest`: then all are equally good).
 * Of equals the domain with the cheapest machine comes first. Asked for every pod that comes to a planned node, where
 * mostly all is settled and nothing has to be made.
 */
export const rankedStates = (state: NodeState, checks: Checks, domains: DomainTable): readonly (readonly NodeState[])[] => {
  let states: readonly NodeState[] = [state];
  if (checks.keys.length === 0) return [states];
  for (const key of checks.keys) states = settling(states, key, domains);
  const isAllowed = (each: NodeState): boolean => firstRefusal(checks.wide, (key) => domains.domainOfState(each, key)) === undefined;
  const [only] = states;
  if (only !== undefined && states.length === 1) return isAllowed(only) ? [states] : NONE;
  const allowed = states.filter(isAllowed);
  return allowed.length < 2 || domains.order === 'cheapest' ? [allowed] : byPodCount(allowed, checks, domains);
};

/** The same states in one list. */
export const settledStates = (state: NodeState, checks: Checks, domains: DomainTable): readonly NodeState[] => {
  const [first = [], ...others] = rankedStates(state, checks, domains);
  return others.length === 0 ? first : [...first, ...others.flat()];
};
