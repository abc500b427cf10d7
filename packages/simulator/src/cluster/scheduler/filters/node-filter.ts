import type { NodeSlot } from '../node-slot.ts';
import type { BinderPodClass } from '../pods/pod-class.ts';

/** Why a node is refused, in kube-scheduler's words; empty: it is not. */
export type FilterRefusals = readonly string[];

export const ADMITTED: FilterRefusals = [];

/** One rule about a pod and a node. */
export type BinderFilter = (pod: BinderPodClass, slot: NodeSlot) => FilterRefusals;
