import { settledStates } from '../places/settled-states.ts';
import type { NodeState } from '../places/node-state.ts';
import { firstRefusal } from '../topology/checks.ts';
import type { CheckList, Checks } from '../topology/checks.ts';
import type { DomainTable } from '../topology/domain-table.ts';
import type { Group } from '../topology/group.ts';

/** A constraint on where other pods are, by its sort and its key. */
export interface Hindrance {
  readonly constraint: string;
  readonly topologyKey: string;
}

/** One constraint, and the checks that ask for nothing else. */
interface Single extends Hindrance {
  readonly checks: Checks;
}

const NOTHING: CheckList = { apart: [], spreads: [], joins: [] };
/** A host on which nobody is. */
const NEW_HOST = Number.MAX_SAFE_INTEGER;

const companyName = (group: Group | undefined): string =>
  group?.matcher.isOfVolume === true ? 'sharing a volume that is made where its first pod goes' : 'pod affinity';

const singlesOf = ({ keys }: Checks, list: CheckList, side: 'wide' | 'host'): readonly Single[] => {
  const only = (part: Partial<CheckList>): Checks => ({ keys, wide: NOTHING, host: NOTHING, [side]: { ...NOTHING, ...part } });
  return [
    ...list.joins.map((join) => ({
      constraint: companyName(join.groups[0]),
      topologyKey: join.groups[0]?.topologyKey ?? '',
      checks: only({ joins: [join] }),
    })),
    ...list.spreads.map((spread) => ({
      constraint: 'topology spread',
      topologyKey: spread.group.topologyKey,
      checks: only({ spreads: [spread] }),
    })),
    ...list.apart.map((group) => ({ constraint: 'pod anti-affinity', topologyKey: group.topologyKey, checks: only({ apart: [group] }) })),
  ];
};

const isRefused = (state: NodeState, checks: Checks, domains: DomainTable): boolean =>
  firstRefusal(checks.host, () => NEW_HOST) !== undefined || settledStates(state, checks, domains).length === 0;

/**
 * The constraint that no domain of a new node meets; where none fails by itself but all of them do together, the first. Undefined where there
 * are none.
 */
export const hindrance = (state: NodeState, checks: Checks, domains: DomainTable): Hindrance | undefined => {
  const singles = [...singlesOf(checks, checks.wide, 'wide'), ...singlesOf(checks, checks.host, 'host')];
  const found = singles.find((single) => isRefused(state, single.checks, domains)) ?? singles[0];
  return found && { constraint: found.constraint, topologyKey: found.topologyKey };
};
