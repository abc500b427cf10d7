import type { Taint } from '@karpenter/core';
import type { NodeObject } from '../objects/node.ts';
import type { ResourceAmounts } from '../resources/amounts.ts';
import { amountsOf } from '../resources/amounts.ts';
import type { NodeLabels } from '../selectors/node-selector.ts';
import type { BinderPodClass } from './pods/pod-class.ts';

/** One node as the binder keeps it: what it offers, and what is taken of it. */
export interface NodeSlot {
  readonly name: string;
  readonly labels: NodeLabels;
  readonly taints: readonly Taint[];
  readonly isUnschedulable: boolean;
  readonly allocatable: ResourceAmounts;
  /** Equal while nothing of the above changed. */
  readonly fingerprint: string;
  /** Resource → amount taken. Changed in place by the picture alone. */
  readonly used: Map<string, number>;
  /** Class → how many of its pods are here. Changed in place by the picture alone. */
  readonly pods: Map<BinderPodClass, number>;
}

/** Equal for two states of a node that the binder cannot distinguish: heartbeats do not change it. */
export const fingerprintOf = ({ metadata, spec, status }: NodeObject): string =>
  JSON.stringify([metadata.labels, spec?.taints, spec?.unschedulable, status?.allocatable]);

/** An empty slot of a node. */
export const slotOf = (node: NodeObject): NodeSlot => ({
  name: node.metadata.name ?? '',
  labels: node.metadata.labels ?? {},
  taints: node.spec?.taints ?? [],
  isUnschedulable: node.spec?.unschedulable ?? false,
  allocatable: amountsOf(node.status?.allocatable),
  fingerprint: fingerprintOf(node),
  used: new Map(),
  pods: new Map(),
});
