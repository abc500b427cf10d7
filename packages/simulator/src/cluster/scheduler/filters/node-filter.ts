import type { NodeSlot } from '../node-slot.ts';
import type { PodClass } from '../pods/pod-class.ts';

/** Why a node is refused, in kube-scheduler's words; empty: it is not. */
export type Refusals = readonly string[];

export const ADMITTED: Refusals = [];

/** One rule about a pod and a node. */
export type NodeFilter = (pod: PodClass, slot: NodeSlot) => Refusals;
