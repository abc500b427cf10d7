import { labels } from '../../apis/index.ts';
import type { PodAffinity, PodAffinityTerm, PodSpec, TopologySpreadConstraint } from '../../kube/index.ts';
import type { PodShape } from '../classes/pod-shape.ts';
import { nodeFilter } from './node-filter.ts';
import type { NodeFilter } from './node-filter.ts';
import { matcherOfAll, matcherOfClaim, matcherOfSpread, matcherOfTerm } from './pod-matcher.ts';
import type { PodMatcher, TermOwner } from './pod-matcher.ts';

/** Some pods, and the domains in which to meet or to miss them. */
export interface WantedTerm {
  readonly topologyKey: string;
  readonly matcher: PodMatcher;
}

export interface WantedSpread extends WantedTerm {
  readonly filter: NodeFilter;
  readonly maxSkew: number;
  readonly minDomains: number;
}

/** What a pod asks of where others are. */
export interface Arrangement {
  readonly apart: readonly WantedTerm[];
  /** Sets of terms that are met together: in each key's domain there is a pod that all terms of the set mean. */
  readonly together: readonly (readonly WantedTerm[])[];
  readonly spreads: readonly WantedSpread[];
}

export interface WantedTopology {
  readonly required: Arrangement;
  /** One arrangement for each wish; the first is given up first. */
  readonly wishes: readonly Arrangement[];
}

const nothing: Arrangement = { apart: [], together: [], spreads: [] };

const requiredOf = (side: PodAffinity | undefined): readonly PodAffinityTerm[] =>
  side?.requiredDuringSchedulingIgnoredDuringExecution ?? [];

/** The lightest first: it is given up first. */
const preferredOf = (side: PodAffinity | undefined): readonly PodAffinityTerm[] =>
  [...(side?.preferredDuringSchedulingIgnoredDuringExecution ?? [])]
    .sort((a, b) => a.weight - b.weight)
    .map(({ podAffinityTerm }) => podAffinityTerm);

/** Kubernetes counts only pods that all required terms mean, for each of their keys. */
const togetherOf = (terms: readonly PodAffinityTerm[], owner: TermOwner): Arrangement['together'] => {
  if (terms.length === 0) return [];
  const matcher = matcherOfAll(terms.map((term) => matcherOfTerm(term, owner)));
  return [[...new Set(terms.map(({ topologyKey }) => topologyKey))].sort().map((topologyKey) => ({ topologyKey, matcher }))];
};

/** Those who will share a volume that is not made yet, claim by claim, in one zone. */
const besideVolumes = ({ unmadeClaims = [] }: TermOwner): Arrangement['together'] =>
  unmadeClaims.map((claim) => [{ topologyKey: labels.zone, matcher: matcherOfClaim(claim) }]);

const apartOf = (terms: readonly PodAffinityTerm[], owner: TermOwner): readonly WantedTerm[] =>
  terms.map((term) => ({ topologyKey: term.topologyKey, matcher: matcherOfTerm(term, owner) }));

const spreadsOf = (constraints: readonly TopologySpreadConstraint[], { ladder }: PodShape, owner: TermOwner): Arrangement['spreads'] => {
  const rungs = ladder.flat().filter(({ step }) => step === 'required');
  const filterOwner = {
    alternatives: rungs.map(({ requirements }) => requirements),
    tolerations: rungs[0]?.tolerations ?? [],
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

const wishesOf = (spec: PodSpec, shape: PodShape, owner: TermOwner): readonly Arrangement[] => {
  const soft = (spec.topologySpreadConstraints ?? []).filter(({ whenUnsatisfiable }) => whenUnsatisfiable === 'ScheduleAnyway');
  return [
    ...preferredOf(spec.affinity?.podAffinity).map((term) => ({ ...nothing, together: togetherOf([term], owner) })),
    ...preferredOf(spec.affinity?.podAntiAffinity).map((term) => ({ ...nothing, apart: apartOf([term], owner) })),
    ...spreadsOf(soft, shape, owner).map((spread) => ({ ...nothing, spreads: [spread] })),
  ];
};

/**
 * What the pod asks, with every selector resolved for its owner. Wishes are given up in this order: pod affinity, pod anti-affinity, spread.
 * Differs: the lightest of a sort goes first; the original gives up the heaviest.
 */
export const wantedTopology = (spec: PodSpec, shape: PodShape, owner: TermOwner): WantedTopology => {
  const hard = (spec.topologySpreadConstraints ?? []).filter(({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule');
  return {
    required: {
      apart: apartOf(requiredOf(spec.affinity?.podAntiAffinity), owner),
      together: [...togetherOf(requiredOf(spec.affinity?.podAffinity), owner), ...besideVolumes(owner)],
      spreads: spreadsOf(hard, shape, owner),
    },
    wishes: wishesOf(spec, shape, owner),
  };
};
