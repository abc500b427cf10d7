import type { ClusterPicture } from '../cluster-picture.ts';
import type { NodeSlot } from '../node-slot.ts';
import type { BinderPodClass } from '../pods/pod-class.ts';
import type { SpreadConstraint } from '../pods/spread-constraint.ts';
import { ADMITTED, type BinderFilter } from './node-filters.ts';

const SKEWED = ["node(s) didn't match pod topology spread constraints"];
const UNLABELLED = ["node(s) didn't match pod topology spread constraints (missing required label)"];

/** Whether a rule admits a pod to a node, from memory or computed again. */
export type Admits = (pod: BinderPodClass, slot: NodeSlot) => boolean;

/** What the count of domains needs to know about nodes. */
export interface SpreadView {
  readonly picture: ClusterPicture;
  readonly matchesAffinity: Admits;
  readonly toleratesTaints: Admits;
}

/**
 * Node name → its domain, over the nodes that count: those with every key of the constraints, and which the inclusion
 * policies let in.
 */
const domainsOf = (
  pod: BinderPodClass,
  constraint: SpreadConstraint,
  { picture, matchesAffinity, toleratesTaints }: SpreadView,
): Map<string, string> => {
  const keys = pod.spread.filter((one) => one.isHard === constraint.isHard).map((one) => one.topologyKey);
  const domains = new Map<string, string>();
  for (const slot of picture.slots) {
    if (!keys.every((key) => key in slot.labels)) continue;
    if (constraint.honoursAffinity && !matchesAffinity(pod, slot)) continue;
    if (constraint.honoursTaints && !toleratesTaints(pod, slot)) continue;
    domains.set(slot.name, slot.labels[constraint.topologyKey] ?? '');
  }
  return domains;
};

/**
 * Domain → how many of the meant pods it has; a domain without any is there with 0. Cost: nodes + placements of the
 * matching classes.
 */
export const domainCounts = (pod: BinderPodClass, constraint: SpreadConstraint, view: SpreadView): ReadonlyMap<string, number> => {
  const domains = domainsOf(pod, constraint, view);
  const counts = new Map<string, number>();
  for (const domain of domains.values()) counts.set(domain, 0);
  for (const [other, byNode] of view.picture.placements) {
    if (other.isTerminating || !constraint.matches(other)) continue;
    for (const [nodeName, count] of byNode) {
      const domain = domains.get(nodeName);
      if (domain !== undefined) counts.set(domain, (counts.get(domain) ?? 0) + count);
    }
  }
  return counts;
};

const minimumOf = (counts: ReadonlyMap<string, number>, minDomains: number): number => {
  if (counts.size < minDomains || counts.size === 0) return 0;
  let least = Infinity;
  for (const count of counts.values()) least = Math.min(least, count);
  return least;
};

/**
 * The `DoNotSchedule` constraints of one pod against the present cluster. Source: kubernetes.io, "Pod Topology
 * Spread Constraints".
 */
export const topologySpread = (pod: BinderPodClass, view: SpreadView): BinderFilter => {
  const checks = pod.spread
    .filter((constraint) => constraint.isHard)
    .map((constraint) => {
      const counts = domainCounts(pod, constraint, view);
      return { constraint, counts, most: minimumOf(counts, constraint.minDomains) + constraint.maxSkew - constraint.own };
    });
  return (_pod, slot) => {
    for (const { constraint, counts, most } of checks) {
      const domain = slot.labels[constraint.topologyKey];
      if (domain === undefined) return UNLABELLED;
      if ((counts.get(domain) ?? 0) > most) return SKEWED;
    }
    return ADMITTED;
  };
};
