import type { Pod, Taint } from '@karpenter/core';
import type { StorageView, TopologySpreadConstraint } from '@karpenter/core/internal';
import { meetsNode } from '../validator/node-labels.ts';
import type { PlainLabels } from '../validator/node-labels.ts';
import { affinityTerms, antiAffinityTerms, hardSpreads } from '../validator/pod-rules.ts';
import { scopeOfSpread, scopeOfTerm } from '../validator/pod-scope.ts';
import type { Namespaces } from '../validator/pod-scope.ts';
import { unmadeClaimsOf } from '../validator/shared-volumes.ts';
import { bearsTaints } from '../validator/taints.ts';

/** A node with the labels that it has, and what is bound to it. */
export interface BoundNode {
  readonly name: string;
  readonly labels: PlainLabels;
  readonly taints: readonly Taint[];
  readonly pods: readonly Pod[];
  /**
   * Not so for a node that is being deleted: its pods are there, but no pod comes any more and it is no domain to
   * spread over.
   */
  readonly isOpen: boolean;
}

/** A cluster at one moment of the binding of its pods. */
export interface BoundCluster {
  readonly nodes: readonly BoundNode[];
  /** Nodes that may yet come: where a spread constraint counts one, its domain is there and empty, as Karpenter has it. */
  readonly launchable: readonly Pick<BoundNode, 'name' | 'labels' | 'taints'>[];
  readonly namespaces: Namespaces;
  readonly storage?: StorageView | undefined;
}

const isAlone = (pod: Pod, { labels }: BoundNode, { nodes, namespaces }: BoundCluster): boolean => {
  const isBeside = (key: string, other: BoundNode): boolean => labels[key] !== undefined && labels[key] === other.labels[key];
  const refuses = (own: Pod, other: Pod, node: BoundNode): boolean =>
    antiAffinityTerms(own.spec).some((term) => isBeside(term.topologyKey, node) && scopeOfTerm(term, own, namespaces).has(other));
  return nodes.every((node) => node.pods.every((other) => !refuses(pod, other, node) && !refuses(other, pod, node)));
};

const hasCompany = (pod: Pod, { labels }: BoundNode, { nodes, namespaces }: BoundCluster): boolean => {
  const terms = affinityTerms(pod.spec);
  const scopes = terms.map((term) => scopeOfTerm(term, pod, namespaces));
  const isMeant = (other: Pod): boolean => scopes.every(({ has }) => has(other));
  const homes = nodes.filter((node) => node.pods.some(isMeant));
  const isFirst = isMeant(pod) && !homes.some((node) => terms.some(({ topologyKey }) => node.labels[topologyKey] !== undefined));
  return terms.every(
    ({ topologyKey: key }) => labels[key] !== undefined && (isFirst || homes.some((node) => node.labels[key] === labels[key])),
  );
};

const ZONE = 'topology.kubernetes.io/zone';

/** Whether the volumes that are not made yet will be made where the pod is: with the first pod that uses them, in its zone. */
const isNearVolumes = (pod: Pod, { labels }: BoundNode, { nodes, storage }: BoundCluster): boolean =>
  unmadeClaimsOf(pod, storage).every((claim) => {
    const homes = nodes.filter((node) => node.pods.some((other) => unmadeClaimsOf(other, storage).includes(claim)));
    const zones = new Set(homes.map((node) => node.labels[ZONE]));
    zones.delete(undefined);
    return zones.size === 0 || zones.has(labels[ZONE]);
  });

/** Whether the constraint of the pod counts nodes of this name with these labels and taints. */
const isCounted =
  (constraint: TopologySpreadConstraint, { spec }: Pod) =>
  ({ name, labels, taints }: Pick<BoundNode, 'name' | 'labels' | 'taints'>): boolean => {
    const { nodeAffinityPolicy = 'Honor', nodeTaintsPolicy = 'Ignore' } = constraint;
    return (
      hardSpreads(spec).every(({ topologyKey }) => labels[topologyKey] !== undefined) &&
      (nodeAffinityPolicy === 'Ignore' || meetsNode(spec, name, labels)) &&
      (nodeTaintsPolicy === 'Ignore' || bearsTaints(taints, spec.tolerations))
    );
  };

/** Whether the constraint, which the pod brings, lets it onto a node with these labels. */
const isEven =
  (pod: Pod, { labels }: BoundNode, { nodes, launchable }: BoundCluster) =>
  (constraint: TopologySpreadConstraint): boolean => {
    const { topologyKey, maxSkew, minDomains = 1 } = constraint;
    const { has } = scopeOfSpread(constraint, pod);
    const domainOf = (node: Pick<BoundNode, 'labels'>): string => node.labels[topologyKey] ?? '';
    const counts = new Map<string, number>();
    for (const node of nodes.filter(({ isOpen }) => isOpen).filter(isCounted(constraint, pod))) {
      const meant = node.pods.filter((other) => other.metadata.deletionTimestamp === undefined && has(other));
      counts.set(domainOf(node), (counts.get(domainOf(node)) ?? 0) + meant.length);
    }
    const isShort = counts.size < minDomains || launchable.filter(isCounted(constraint, pod)).some((node) => !counts.has(domainOf(node)));
    const least = isShort ? 0 : Math.min(...counts.values());
    const own = labels[topologyKey];
    return own !== undefined && (counts.get(own) ?? 0) + (has(pod) ? 1 : 0) - least <= maxSkew;
  };

/**
 * Whether kube-scheduler would bind the pod to the node now. Only the rules of pod affinity, anti-affinity and topology
 * spread, and those of volumes to be made, count.
 */
export const mayBind = (pod: Pod, node: BoundNode, cluster: BoundCluster): boolean =>
  hasCompany(pod, node, cluster) &&
  isNearVolumes(pod, node, cluster) &&
  isAlone(pod, node, cluster) &&
  hardSpreads(pod.spec).every(isEven(pod, node, cluster));
