import { settledStates } from '../places/settled-states.ts';
import { firstRefusal } from '../topology/checks.ts';
import type { CheckList, Checks } from '../topology/checks.ts';
import type { DomainTable } from '../topology/domain-table.ts';
import type { Group } from '../topology/group.ts';
import type { NodeState } from '../places/node-model.ts';

/** A constraint relative to other pods: its sort in words, and its topology key. */
export interface UnmetConstraint {
  readonly constraint: string;
  readonly topologyKey: string;
}

/** One constraint, and checks for it alone. */
interface Single extends UnmetConstraint {
  readonly checks: Checks;
}

const NOTHING: CheckList = { antiAffinity: [], spreads: [], affinity: [] };
/** A host without pods. */
const NEW_HOST = Number.MAX_SAFE_INTEGER;

const affinityName = (group: Group | undefined): string =>
  group?.matcher.isOfVolume === true ? 'sharing a volume that is made where its first pod goes' : 'pod affinity';

const singlesOf = ({ keys }: Checks, list: CheckList, side: 'wide' | 'host'): readonly Single[] => {
  const only = (part: Partial<CheckList>): Checks => ({ keys, wide: NOTHING, host: NOTHING, [side]: { ...NOTHING, ...part } });
  return [
    ...list.affinity.map((join) => ({
      constraint: affinityName(join.groups[0]),
      topologyKey: join.groups[0]?.topologyKey ?? '',
      checks: only({ affinity: [join] }),
    })),
    ...list.spreads.map((spread) => ({
      constraint: 'topology spread',
      topologyKey: spread.group.topologyKey,
      checks: only({ spreads: [spread] }),
    })),
    ...list.antiAffinity.map((group) => ({
      constraint: 'pod anti-affinity',
      topologyKey: group.topologyKey,
      checks: only({ antiAffinity: [group] }),
    })),
  ];
};

const isRefused = (state: NodeState, checks: Checks, domains: DomainTable): boolean =>
  firstRefusal(checks.host, () => NEW_HOST) !== undefined || settledStates(state, checks, domains).length === 0;

/**
 * The constraint that no domain of a new node can meet. Where each could be met alone but not all together, the first;
 * undefined where there are none.
 */
export const unmetConstraint = (state: NodeState, checks: Checks, domains: DomainTable): UnmetConstraint | undefined => {
  const singles = [...singlesOf(checks, checks.wide, 'wide'), ...singlesOf(checks, checks.host, 'host')];
  const found = singles.find((single) => isRefused(state, single.checks, domains)) ?? singles[0];
  return found && { constraint: found.constraint, topologyKey: found.topologyKey };
};
