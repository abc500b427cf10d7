import type { TopologySpreadConstraint } from '@karpenter/core/internal';
import { type NodeLabels, selects } from '../../selectors/node-selector.ts';
import type { AffinityMatcher } from './affinity-term.ts';
import { withLabelKeys } from './affinity-term.ts';

/** A topology spread constraint with its defaults filled in. */
export interface SpreadConstraint {
  readonly topologyKey: string;
  readonly maxSkew: number;
  readonly minDomains: number;
  readonly honoursAffinity: boolean;
  readonly honoursTaints: boolean;
  readonly isHard: boolean;
  readonly matches: AffinityMatcher;
  /** 1 when the pod counts itself. */
  readonly own: 0 | 1;
}

export const compileSpread = (
  constraint: TopologySpreadConstraint,
  owner: { readonly namespace: string; readonly labels: NodeLabels },
): SpreadConstraint => {
  const selector = withLabelKeys(constraint.labelSelector, owner.labels, { match: constraint.matchLabelKeys });
  const matches: AffinityMatcher = ({ namespace, labels }) => namespace === owner.namespace && selects(selector, labels);
  return {
    topologyKey: constraint.topologyKey,
    maxSkew: constraint.maxSkew,
    minDomains: constraint.minDomains ?? 1,
    honoursAffinity: constraint.nodeAffinityPolicy !== 'Ignore',
    honoursTaints: constraint.nodeTaintsPolicy === 'Honor',
    isHard: constraint.whenUnsatisfiable === 'DoNotSchedule',
    matches,
    own: matches(owner) ? 1 : 0,
  };
};
