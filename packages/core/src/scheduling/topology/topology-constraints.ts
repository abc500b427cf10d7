import { labels } from '../../apis/index.ts';
import { unreachable } from '../../base/index.ts';
import type { PodAffinity, PodAffinityTerm, PodSpec, TopologySpreadConstraint } from '../../kube/index.ts';
import type { PodPreference } from '../pod-classes/pod-preferences.ts';
import type { PodShape } from '../pod-classes/pod-shape.ts';
import { nodeFilter } from './group.ts';
import type { NodeFilter } from './group.ts';
import { matcherOfAll, matcherOfClaim, matcherOfSpread, matcherOfTerm } from './pod-matcher.ts';
import type { PodMatcher, TermOwner } from './pod-matcher.ts';

/** The pods that a term selects, and the topology key within which they are sought or avoided. */
export interface WantedTerm {
  readonly topologyKey: string;
  readonly matcher: PodMatcher;
}

export interface WantedSpread extends WantedTerm {
  readonly filter: NodeFilter;
  readonly maxSkew: number;
  readonly minDomains: number;
}

/** The constraints of a pod relative to other pods. */
export interface TopologyConstraints {
  readonly antiAffinity: readonly WantedTerm[];
  /** Sets of terms that must be met together: each domain must hold a pod that all terms of the set select. */
  readonly affinity: readonly (readonly WantedTerm[])[];
  readonly spreads: readonly WantedSpread[];
}

export interface WantedTopology {
  readonly required: TopologyConstraints;
  /** What each of the pod's preferences asks as a constraint; undefined for one about labels of nodes. */
  readonly preferences: readonly (TopologyConstraints | undefined)[];
}

const nothing: TopologyConstraints = { antiAffinity: [], affinity: [], spreads: [] };

const requiredOf = (side: PodAffinity | undefined): readonly PodAffinityTerm[] =>
  side?.requiredDuringSchedulingIgnoredDuringExecution ?? [];

/** Kubernetes counts only pods that all required terms select, for each of their keys. */
const togetherOf = (terms: readonly PodAffinityTerm[], owner: TermOwner): TopologyConstraints['affinity'] => {
  if (terms.length === 0) return [];
  const matcher = matcherOfAll(terms.map((term) => matcherOfTerm(term, owner)));
  return [[...new Set(terms.map(({ topologyKey }) => topologyKey))].sort().map((topologyKey) => ({ topologyKey, matcher }))];
};

/** Pods that will share a volume which does not exist yet must be in one zone, claim by claim. */
const besideVolumes = ({ unboundClaims = [] }: TermOwner): TopologyConstraints['affinity'] =>
  unboundClaims.map((claim) => [{ topologyKey: labels.zone, matcher: matcherOfClaim(claim) }]);

const apartOf = (terms: readonly PodAffinityTerm[], owner: TermOwner): readonly WantedTerm[] =>
  terms.map((term) => ({ topologyKey: term.topologyKey, matcher: matcherOfTerm(term, owner) }));

/** The pods that the pod keeps away from itself wherever it is. */
export const keptAwayBy = ({ affinity }: PodSpec, owner: TermOwner): readonly WantedTerm[] =>
  apartOf(requiredOf(affinity?.podAntiAffinity), owner);

const spreadsOf = (
  constraints: readonly TopologySpreadConstraint[],
  { relaxationOrder, byName }: PodShape,
  owner: TermOwner,
): TopologyConstraints['spreads'] => {
  const terms = relaxationOrder.flat().filter(({ relaxation }) => relaxation === 'required');
  const filterOwner = {
    alternatives: terms.map(({ requirements }) => requirements),
    byName,
    tolerations: terms[0]?.tolerations ?? [],
    topologyKeys: constraints.map(({ topologyKey }) => topologyKey),
  };
  return constraints.map((constraint) => ({
    topologyKey: constraint.topologyKey,
    matcher: matcherOfSpread(constraint, owner),
    filter: nodeFilter(constraint, filterOwner),
    maxSkew: constraint.maxSkew,
    minDomains: constraint.minDomains ?? 1,
  }));
};

const preferenceOf = (
  preference: PodPreference,
  owner: TermOwner,
  spreadOf: (constraint: TopologySpreadConstraint) => readonly WantedSpread[],
): TopologyConstraints | undefined => {
  switch (preference.kind) {
    case 'node-affinity':
      return undefined;
    case 'spread':
      return { ...nothing, spreads: spreadOf(preference.constraint) };
    case 'pod-affinity':
      return { ...nothing, affinity: togetherOf([preference.term], owner) };
    case 'pod-anti-affinity':
      return { ...nothing, antiAffinity: apartOf([preference.term], owner) };
    default:
      return unreachable(preference);
  }
};

const preferencesOf = (shape: PodShape, owner: TermOwner): WantedTopology['preferences'] => {
  const { kept } = shape.preferences;
  const soft = kept.flatMap((preference) => (preference.kind === 'spread' ? [preference.constraint] : []));
  const spreads = spreadsOf(soft, shape, owner);
  const spreadOf = (constraint: TopologySpreadConstraint): readonly WantedSpread[] => {
    const spread = spreads[soft.indexOf(constraint)];
    return spread === undefined ? [] : [spread];
  };
  return kept.map((preference) => preferenceOf(preference, owner, spreadOf));
};

/** The topology constraints of a pod, with selectors resolved for it. */
export const wantedTopology = (spec: PodSpec, shape: PodShape, owner: TermOwner): WantedTopology => {
  const hard = (spec.topologySpreadConstraints ?? []).filter(({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule');
  return {
    required: {
      antiAffinity: keptAwayBy(spec, owner),
      affinity: [...togetherOf(requiredOf(spec.affinity?.podAffinity), owner), ...besideVolumes(owner)],
      spreads: spreadsOf(hard, shape, owner),
    },
    preferences: preferencesOf(shape, owner),
  };
};
