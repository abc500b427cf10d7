import { containsBits } from '../../base/index.ts';
import { labels } from '../../apis/index.ts';
import type { NodeView } from '../../cluster/index.ts';
import { firstUntolerated, labelOf } from '../../kube/index.ts';
import type { Taint, Toleration, TopologySpreadConstraint } from '../../kube/index.ts';
import { requirementsText } from '../../catalog/index.ts';
import { compatible, firstUnmet, implies, merge } from '../../requirements/index.ts';
import type { Requirement, Requirements } from '../../requirements/index.ts';
import { boundToCatalog, internState } from '../places/node-state.ts';
import type { NodeState } from '../places/node-model.ts';

/**
 * Which nodes a spread constraint counts. Source: Kubernetes, "Pod Topology Spread Constraints", node affinity and
 * taints policies.
 */
export interface NodeFilter {
  readonly text: string;
  readonly passes: (node: NodeView) => boolean;
  /** Whether a planned node of this state will certainly pass, might, or cannot. */
  readonly verdictOn: (state: NodeState) => 'certain' | 'possible' | 'never';
}

/**
 * The pod that the constraint belongs to: its node requirements, its tolerations, and the keys of all its hard constraints.
 */
export interface FilterOwner {
  readonly alternatives: readonly Requirements[];
  readonly tolerations: readonly Toleration[];
  /** A node without one of these labels is not counted for any of them. */
  readonly topologyKeys: readonly string[];
}

const everything: readonly Requirements[] = [new Map()];

/** Whether every machine that the state may still become states the label, and with a value that is wanted. */
const isStatedByAll = ({ template: { catalog }, types, offerings }: NodeState, wanted: Requirement): boolean =>
  catalog.offeringKeys.has(wanted.key)
    ? containsBits(catalog.offeringsImplying(wanted), offerings)
    : containsBits(catalog.typesImplying(wanted), types);

/**
 * Whether the requirements cannot fail any more, for each value that a label may get. A planned node only ever loses
 * types and values.
 */
const isCertain = (state: NodeState, wanted: Requirements): boolean =>
  [...wanted.values()].every((requirement) => {
    const own = state.requirements.get(requirement.key);
    if (own !== undefined && implies(own, requirement)) return true;
    if (state.template.wellKnown.has(requirement.key)) return isStatedByAll(state, requirement);
    return own === undefined && requirement.mayBeAbsent;
  });

/** Whether some machine of the state meets them: a zone and an architecture may each be on sale, and never together. */
const mayBeLaunched = ({ template, requirements }: NodeState, wanted: Requirements): boolean =>
  compatible(requirements, wanted, { allowUndefined: template.wellKnown }) === undefined &&
  internState(template, merge(requirements, boundToCatalog(wanted, template))) !== undefined;

const mayHaveLabel = ({ template, requirements }: NodeState, key: string): boolean =>
  key === labels.hostname || template.wellKnown.has(key) || requirements.get(key)?.mayBeAbsent === false;

export const nodeFilter = (
  { nodeAffinityPolicy = 'Honor', nodeTaintsPolicy = 'Ignore' }: TopologySpreadConstraint,
  { alternatives, tolerations, topologyKeys }: FilterOwner,
): NodeFilter => {
  const wanted = nodeAffinityPolicy === 'Honor' ? alternatives : everything;
  const isTaintBlind = nodeTaintsPolicy === 'Ignore';
  const isRefused = (taints: readonly Taint[]): boolean => !isTaintBlind && firstUntolerated(taints, tolerations) !== undefined;
  const hasKeys = (own: NodeView['labels']): boolean =>
    topologyKeys.every((key) => key === labels.hostname || labelOf(own, key) !== undefined);
  return {
    text: JSON.stringify([wanted.map(requirementsText).sort(), isTaintBlind ? '' : tolerations, [...topologyKeys].sort()]),
    passes: ({ labels: own, taints }) =>
      hasKeys(own) && !isRefused(taints) && wanted.some((requirements) => firstUnmet(requirements, own) === undefined),
    verdictOn: (state) => {
      const { template } = state;
      if (isRefused(template.taints) || !topologyKeys.every((key) => mayHaveLabel(state, key))) return 'never';
      const open = wanted.filter((each) => mayBeLaunched(state, each));
      if (open.length === 0) return 'never';
      return open.some((each) => isCertain(state, each)) ? 'certain' : 'possible';
    },
  };
};
