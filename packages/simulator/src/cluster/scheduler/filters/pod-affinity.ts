import type { AffinityTerm } from '../pods/affinity-term.ts';
import type { ClusterPicture } from '../cluster-picture.ts';
import type { NodeSlot } from '../node-slot.ts';
import type { BinderPodClass } from '../pods/pod-class.ts';
import { ADMITTED, type BinderFilter } from './node-filters.ts';

const NO_FRIENDS = ["node(s) didn't match pod affinity rules"];
const FOES = ["node(s) didn't match pod anti-affinity rules"];
const UNWELCOME = ["node(s) didn't satisfy existing pods anti-affinity rules"];

/** Topology key → its values. */
type Domains = Map<string, Set<string>>;

const addDomains = (domains: Domains, topologyKey: string, slots: Iterable<NodeSlot>): void => {
  for (const slot of slots) {
    const value = slot.labels[topologyKey];
    if (value === undefined) continue;
    let values = domains.get(topologyKey);
    if (values === undefined) domains.set(topologyKey, (values = new Set()));
    values.add(value);
  }
};

const isIn = (domains: Domains, topologyKey: string, slot: NodeSlot): boolean => {
  const value = slot.labels[topologyKey];
  return value !== undefined && (domains.get(topologyKey)?.has(value) ?? false);
};

const isInAny = (domains: Domains, slot: NodeSlot): boolean => [...domains.keys()].some((key) => isIn(domains, key, slot));

interface Neighbourhood {
  readonly friendly: Domains;
  readonly hostile: Domains;
  readonly unwelcoming: Domains;
}

const survey = (pod: BinderPodClass, picture: ClusterPicture): Neighbourhood => {
  const found: Neighbourhood = { friendly: new Map(), hostile: new Map(), unwelcoming: new Map() };
  const add = (domains: Domains, terms: readonly AffinityTerm[], slots: readonly NodeSlot[]): void => {
    for (const term of terms) addDomains(domains, term.topologyKey, slots);
  };
  const hasTerms = pod.affinity.length + pod.antiAffinity.length > 0;
  for (const [other, byNode] of hasTerms ? picture.placements : picture.opinionated) {
    const isFriend = pod.affinity.length > 0 && pod.affinity.every((term) => term.matches(other));
    const against = pod.antiAffinity.filter((term) => term.matches(other));
    const refusedBy = other.antiAffinity.filter((term) => term.matches(pod));
    if (!isFriend && against.length === 0 && refusedBy.length === 0) continue;
    const slots = [...byNode.keys()].flatMap((name) => picture.slot(name) ?? []);
    if (isFriend) add(found.friendly, pod.affinity, slots);
    add(found.hostile, against, slots);
    add(found.unwelcoming, refusedBy, slots);
  }
  return found;
};

/**
 * Required affinity and anti-affinity of the pod, and anti-affinity of the pods that run already, against the cluster
 * of now. The first pod of a group that wants its own company is let in wherever the topology keys are.
 *
 * Source: kubernetes.io, "Inter-pod affinity and anti-affinity".
 */
export const podAffinity = (pod: BinderPodClass, picture: ClusterPicture): BinderFilter => {
  const { friendly, hostile, unwelcoming } = survey(pod, picture);
  const isFirst = friendly.size === 0 && pod.affinity.every((term) => term.matches(pod));
  const hasCompany = (slot: NodeSlot): boolean =>
    pod.affinity.every(({ topologyKey }) => (isFirst ? topologyKey in slot.labels : isIn(friendly, topologyKey, slot)));
  return (_pod, slot) => {
    if (!hasCompany(slot)) return NO_FRIENDS;
    if (isInAny(hostile, slot)) return FOES;
    return isInAny(unwelcoming, slot) ? UNWELCOME : ADMITTED;
  };
};
