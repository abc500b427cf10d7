import { firstRefusal } from '../topology/checks.ts';
import type { Checks } from '../topology/checks.ts';
import type { DomainTable } from '../topology/domain-table.ts';
import type { NodeState } from './node-state.ts';

/** How many pods the spreads count where the state settles: the fewer, the better it spreads. */
const crowdOf = (state: NodeState, { wide }: Checks, domains: DomainTable): number =>
  wide.spreads.reduce((sum, { group }) => sum + group.counter.at(domains.domainOfState(state, group.key)), 0);

/** States that settle every key that the checks ask about, be it as missing, and that the checks allow: the emptiest domain first, then the cheapest machine. */
export const settledStates = (state: NodeState, checks: Checks, domains: DomainTable): readonly NodeState[] => {
  let states: readonly NodeState[] = [state];
  for (const key of checks.keys) {
    states = states.flatMap((each) => {
      const settled = domains.settled(each, key);
      return settled.length === 0 ? domains.unlabelled(each, key) : settled;
    });
  }
  const allowed = states.filter((each) => firstRefusal(checks.wide, (key) => domains.domainOfState(each, key)) === undefined);
  if (allowed.length < 2) return allowed;
  return allowed
    .map((each) => ({ each, crowd: crowdOf(each, checks, domains) }))
    .sort((a, b) => a.crowd - b.crowd)
    .map(({ each }) => each);
};
