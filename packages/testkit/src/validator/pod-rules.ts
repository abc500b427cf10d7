import type { Pod } from '@karpenter/core';
import { getOrMake } from '@karpenter/core/internal';
import type { PodAffinity, PodAffinityTerm, PodSpec, TopologySpreadConstraint } from '@karpenter/core/internal';
import { meetsNode } from './node-labels.ts';
import type { PlainLabels } from './node-labels.ts';
import { PlacedPods } from './placed-pods.ts';
import type { Counting } from './placed-pods.ts';
import { scopeOfSpread, scopeOfTerm } from './pod-scope.ts';
import type { Namespaces } from './pod-scope.ts';
import type { Spot } from './spot.ts';
import { valuesIn, valuesOn } from './spot.ts';
import { bearsTaints } from './taints.ts';

/** What has been bound so far, as each constraint of some pod sees it; constraints that see the same share one. */
export interface Sights {
  readonly namespaces: Namespaces;
  readonly spots: readonly Spot[];
  readonly sight: (text: string, make: () => PlacedPods) => PlacedPods;
}

/** Whether kube-scheduler would let the pod onto the spot now. */
export type Rule = (spot: Spot) => boolean;

const required = (side: PodAffinity | undefined): readonly PodAffinityTerm[] => side?.requiredDuringSchedulingIgnoredDuringExecution ?? [];

export const antiAffinityTerms = ({ affinity }: PodSpec): readonly PodAffinityTerm[] => required(affinity?.podAntiAffinity);
export const affinityTerms = ({ affinity }: PodSpec): readonly PodAffinityTerm[] => required(affinity?.podAffinity);
export const hardSpreads = ({ topologySpreadConstraints = [] }: PodSpec): readonly TopologySpreadConstraint[] =>
  topologySpreadConstraints.filter(({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule');

/** Of no domain that the node may be in may one of the placed pods possibly be. */
export const staysAwayFrom =
  (placed: PlacedPods): Rule =>
  (spot) =>
    valuesOn(spot, placed.key).every((value) => value === undefined || placed.in(value).most === 0);

/**
 * Source: Kubernetes, "Inter-pod affinity": pods that all terms mean count, for each term's key; the first of a kind
 * may start anywhere.
 */
export const joins = (pod: Pod, { namespaces, sight }: Sights): Rule => {
  const terms = affinityTerms(pod.spec);
  const scopes = terms.map((term) => scopeOfTerm(term, pod, namespaces));
  const has = (other: Pod): boolean => scopes.every((scope) => scope.has(other));
  const whole = JSON.stringify(scopes.map(({ text }) => text));
  const sights = terms.map(({ topologyKey: key }) => sight(`join ${key} ${whole}`, () => new PlacedPods({ key, has })));
  return (spot) => {
    const isFirst = has(pod) && sights.every(({ total }) => total === 0);
    return sights.every((placed) => {
      const values = valuesOn(spot, placed.key);
      if (values.includes(undefined)) return false;
      return isFirst || placed.isOn(spot) || values.every((value) => value !== undefined && placed.in(value).least > 0);
    });
  };
};

const counts = (constraint: TopologySpreadConstraint, { spec }: Pod): Counting => {
  const keys = hardSpreads(spec).map(({ topologyKey }) => topologyKey);
  const { nodeAffinityPolicy = 'Honor', nodeTaintsPolicy = 'Ignore' } = constraint;
  const passes =
    (name: string) =>
    (labels: PlainLabels): boolean =>
      keys.every((key) => labels[key] !== undefined) && (nodeAffinityPolicy === 'Ignore' || meetsNode(spec, name, labels));
  const known = new Map<Spot, ReturnType<Counting>>();
  const counted: Counting = ({ name, taints, labelSets }) =>
    nodeTaintsPolicy === 'Honor' && !bearsTaints(taints, spec.tolerations) ? [] : labelSets.filter(passes(name));
  return (spot) => getOrMake(known, spot, counted);
};

/** Domains of a key that a constraint counts: those with a node that surely passes, and those where one might. */
const domainsOf = (
  key: string,
  counting: Counting,
  spots: readonly Spot[],
): { surely: ReadonlySet<string>; maybe: ReadonlySet<string> } => {
  const surely = new Set<string>();
  const maybe = new Set<string>();
  for (const spot of spots.filter(({ isOpen }) => isOpen)) {
    const counted = counting(spot);
    const values = valuesIn(counted, key).filter((value) => value !== undefined);
    for (const value of values) maybe.add(value);
    const [only] = values;
    if (values.length === 1 && only !== undefined && counted.length === spot.labelSets.length) surely.add(only);
  }
  return { surely, maybe };
};

/**
 * Source: Kubernetes, "Pod Topology Spread Constraints": skew against the least of all eligible domains, 0 while those
 * are too few.
 */
export const spreads = (pod: Pod, constraint: TopologySpreadConstraint, { spots, sight }: Sights): Rule => {
  const { topologyKey: key, maxSkew, minDomains = 1, labelSelector: _, ...policies } = constraint;
  const scope = scopeOfSpread(constraint, pod);
  const counting = counts(constraint, pod);
  const { nodeSelector, affinity, tolerations } = pod.spec;
  const filter = JSON.stringify([policies, nodeSelector, affinity?.nodeAffinity, tolerations, hardSpreads(pod.spec)]);
  const { surely, maybe } = domainsOf(key, counting, spots);
  const placed = sight(`spread ${key} ${scope.text} ${filter}`, () => {
    const has = (other: Pod): boolean => other.metadata.deletionTimestamp === undefined && scope.has(other);
    return new PlacedPods({ key, has, counting, spreadOver: maybe });
  });
  const self = scope.has(pod) ? 1 : 0;
  return (spot) => {
    const [value, ...others] = valuesOn(spot, key);
    if (value === undefined || others.length > 0) return false;
    let least = Number.POSITIVE_INFINITY;
    if (surely.size < minDomains) least = 0;
    // How many of a domain's pods count may not be settled yet; it is the same number on both sides.
    else for (const domain of maybe) least = Math.min(least, domain === value ? placed.in(domain).most : placed.in(domain).least);
    return placed.in(value).most + self - least <= maxSkew;
  };
};
