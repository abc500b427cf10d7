import type { ClusterPicture } from './cluster-picture.ts';
import {
  ADMITTED,
  AFFINITY_REFUSED,
  type BinderFilter,
  type FilterRefusals,
  hostPorts,
  nodeAffinity,
  resourcesBesides,
  taints,
  unschedulable,
} from './filters/node-filters.ts';
import { podAffinity } from './filters/pod-affinity.ts';
import type { SpreadView } from './filters/topology-spread.ts';
import { topologySpread } from './filters/topology-spread.ts';
import { volumeLimits } from './filters/volume-limits.ts';
import type { VolumeReader } from './volumes/volume-views.ts';
import { volumeRestrictions } from './filters/volume-restrictions.ts';
import { volumeTopology } from './filters/volume-topology.ts';
import type { NodeSlot } from './node-slot.ts';
import type { BinderPodClass } from './pods/pod-class.ts';
import { bestNode } from './scores/best-node.ts';
import { preferencesOf } from './scores/preferences.ts';

/** Where a pod goes, or how many nodes gave each reason against it. */
export type NodeChoice =
  | { readonly kind: 'node'; readonly nodeName: string }
  | { readonly kind: 'none'; readonly nodeCount: number; readonly refusals: ReadonlyMap<string, number> };

/** What nominations mean for one pod. */
export interface Expected {
  /** Where the pod itself is expected: tried before all other nodes. */
  readonly nodeName?: string | undefined;
  /** The other pods that room is left for on a node. */
  readonly others: (nodeName: string) => readonly BinderPodClass[];
}

/** The rules about devices. */
export interface DeviceRules {
  readonly filter: BinderFilter;
  /**
   * Whether pods that request the resource have devices for it on the node: a DeviceClass stands for it, and no device
   * plugin provides it.
   */
  readonly isMetWithDevices: (resource: string, slot: NodeSlot) => boolean;
}

/** Chooses nodes for pods, remembering what of a class and a node cannot change. */
export type NodeChooser = (pod: BinderPodClass, expected?: Expected) => NodeChoice;

/** What of a pod and a node stays true while neither changes. */
interface Verdict {
  readonly refusals: FilterRefusals;
  readonly matchesAffinity: boolean;
  readonly toleratesTaints: boolean;
}

const judge = (pod: BinderPodClass, slot: NodeSlot): Verdict => {
  const [cordon, taint, affinity] = [unschedulable(pod, slot), taints(pod, slot), nodeAffinity(pod, slot)];
  const refusals = [cordon, taint, affinity].find((one) => one.length > 0) ?? [];
  return { refusals, matchesAffinity: affinity.length === 0, toleratesTaints: taint.length === 0 };
};

const rememberVerdicts = (): ((pod: BinderPodClass, slot: NodeSlot) => Verdict) => {
  const known = new WeakMap<BinderPodClass, WeakMap<NodeSlot, Verdict>>();
  return (pod, slot) => {
    let ofClass = known.get(pod);
    if (ofClass === undefined) known.set(pod, (ofClass = new WeakMap()));
    let verdict = ofClass.get(slot);
    if (verdict === undefined) ofClass.set(slot, (verdict = judge(pod, slot)));
    return verdict;
  };
};

const firstRefusals = (filters: readonly BinderFilter[], pod: BinderPodClass, slot: NodeSlot): FilterRefusals => {
  for (const filter of filters) {
    const refusals = filter(pod, slot);
    if (refusals.length > 0) return refusals;
  }
  return [];
};

/** The nodes to check: a daemon pod names its only one, and the walk over all others is spared. */
const candidatesFor = ({ spec }: BinderPodClass, picture: ClusterPicture): readonly NodeSlot[] => {
  const terms = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const names = terms.map(({ matchFields = [] }) => matchFields.find(({ operator }) => operator === 'In')?.values);
  if (names.length === 0 || names.includes(undefined)) return picture.slots;
  return [...new Set(names.flatMap((some) => some ?? []))].sort().flatMap((name) => picture.slot(name) ?? []);
};

const NOBODY_EXPECTED: Expected = { others: () => [] };

/**
 * The filters in kube-scheduler's order, then the scores. A node must take the pod with the pods that are expected
 * there, and without them, since they may come to nothing. Each node counts with the first filter that refuses it. No
 * preemption: a pod of higher priority goes first in the queue but evicts nothing.
 */
export const createNodeChooser = (picture: ClusterPicture, volumes: VolumeReader, devices: DeviceRules): NodeChooser => {
  const verdictOf = rememberVerdicts();
  const view: SpreadView = {
    picture,
    matchesAffinity: (pod, slot) => verdictOf(pod, slot).matchesAffinity,
    toleratesTaints: (pod, slot) => verdictOf(pod, slot).toleratesTaints,
  };
  const fixed: BinderFilter = (pod, slot) => verdictOf(pod, slot).refusals;
  const ofVolumes = volumeTopology(volumes);
  const resources = resourcesBesides(devices.isMetWithDevices);
  const filtersFor = (pod: BinderPodClass): readonly BinderFilter[] => {
    const ofClaims =
      pod.claimNames.length === 0 ? [] : [volumeRestrictions(pod, { picture, volumes }), volumeLimits(pod, volumes), ofVolumes];
    return [fixed, hostPorts, resources, ...ofClaims, topologySpread(pod, view), podAffinity(pod, picture), devices.filter];
  };

  /** Of one pod: asked node by node. */
  const refusalsFor = (pod: BinderPodClass, { others }: Expected): ((slot: NodeSlot) => FilterRefusals) => {
    const filters = filtersFor(pod);
    return (slot) => {
      const company = others(slot.name);
      const crowded = (): FilterRefusals => firstRefusals(filtersFor(pod), pod, slot);
      const refusals = company.length === 0 ? ADMITTED : picture.supposing(company, slot.name, crowded);
      return refusals.length > 0 ? refusals : firstRefusals(filters, pod, slot);
    };
  };

  const chooseAmongAll = (pod: BinderPodClass, refusalsOf: (slot: NodeSlot) => FilterRefusals): NodeChoice => {
    const feasible: NodeSlot[] = [];
    const refusals = new Map<string, number>();
    const candidates = candidatesFor(pod, picture);
    const passedOver = picture.slots.length - candidates.length;
    if (passedOver > 0) refusals.set(AFFINITY_REFUSED, passedOver);
    for (const slot of candidates) {
      const against = refusalsOf(slot);
      if (against.length === 0) feasible.push(slot);
      for (const reason of against) refusals.set(reason, (refusals.get(reason) ?? 0) + 1);
    }
    const best = bestNode(feasible, preferencesOf(pod, feasible, view));
    if (best !== undefined) return { kind: 'node', nodeName: best.name };
    return { kind: 'none', nodeCount: picture.slots.length, refusals };
  };

  return (pod, expected = NOBODY_EXPECTED) => {
    const refusalsOf = refusalsFor(pod, expected);
    const meant = picture.slot(expected.nodeName ?? '');
    const isTaken = meant !== undefined && refusalsOf(meant).length === 0;
    return isTaken ? { kind: 'node', nodeName: meant.name } : chooseAmongAll(pod, refusalsOf);
  };
};
