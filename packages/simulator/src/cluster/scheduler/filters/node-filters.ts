import type { Taint } from '@karpenter/core';
import type { NodeSlot } from '../node-slot.ts';
import type { BinderPodClass } from '../pods/pod-class.ts';
import { nodeTaints } from '../../objects/node.ts';
import { isTolerated } from '../../selectors/toleration.ts';
import { matchesAnyTerm } from '../../selectors/node-selector.ts';
import { collides } from '../pods/host-port.ts';

/** Why a node is refused, in kube-scheduler's words; empty: it is not. */
export type FilterRefusals = readonly string[];

export const ADMITTED: FilterRefusals = [];

/** One rule about a pod and a node. */
export type BinderFilter = (pod: BinderPodClass, slot: NodeSlot) => FilterRefusals;

const CORDON: Taint = { key: nodeTaints.unschedulable, effect: 'NoSchedule' };
const CORDONED = ['node(s) were unschedulable'];

/** A cordoned node takes only pods that tolerate `node.kubernetes.io/unschedulable`. */
export const unschedulable: BinderFilter = (pod, slot) =>
  slot.isUnschedulable && !isTolerated(CORDON, pod.spec.tolerations) ? CORDONED : ADMITTED;

/** Every `NoSchedule` and `NoExecute` taint must be tolerated; the first that is not is named. */
export const taints: BinderFilter = (pod, slot) => {
  const taint = slot.taints.find((one) => one.effect !== 'PreferNoSchedule' && !isTolerated(one, pod.spec.tolerations));
  return taint === undefined ? ADMITTED : [`node(s) had untolerated taint {${taint.key}: ${taint.value ?? ''}}`];
};

export const AFFINITY_REFUSED = "node(s) didn't match Pod's node affinity/selector";
const NOT_SELECTED = [AFFINITY_REFUSED];

/** `nodeSelector` and the required node affinity; both must hold. */
export const nodeAffinity: BinderFilter = ({ spec }, slot) => {
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const isSelected = Object.entries(spec.nodeSelector ?? {}).every(([key, value]) => slot.labels[key] === value);
  return isSelected && (required === undefined || matchesAnyTerm(required.nodeSelectorTerms, slot)) ? ADMITTED : NOT_SELECTED;
};

const PORTS_TAKEN = ["node(s) didn't have free ports for the requested pod ports"];

/** No two pods of a node hold the same port of it. */
export const hostPorts: BinderFilter = (pod, slot) => {
  if (pod.hostPorts.length === 0) return ADMITTED;
  for (const other of slot.pods.keys()) {
    if (other.hostPorts.some((taken) => pod.hostPorts.some((wanted) => collides(wanted, taken)))) return PORTS_TAKEN;
  }
  return ADMITTED;
};

const wordsFor = (resource: string): string => (resource === 'pods' ? 'Too many pods' : `Insufficient ${resource}`);

/** The requested resources must be free, but for those that devices meet on the node. Names each resource that is short. */
export const resourcesBesides =
  (isMetWithDevices: (resource: string, slot: NodeSlot) => boolean): BinderFilter =>
  (pod, slot) => {
    let short: string[] | undefined;
    for (const [name, amount] of pod.requests) {
      const left = (slot.allocatable[name] ?? 0) - (slot.used.get(name) ?? 0);
      if (amount > left && !isMetWithDevices(name, slot)) (short ??= []).push(wordsFor(name));
    }
    return short ?? ADMITTED;
  };
