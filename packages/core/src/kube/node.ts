import type { Condition, ObjectMeta, ResourceList } from './object-meta.ts';

/**
 * What a taint does to pods that do not tolerate it: keeps them off, would rather not have them, or also sends away
 * those that run.
 */
export type TaintEffect = 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';

/** What keeps pods off a node unless they tolerate it. */
export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: TaintEffect;
  readonly timeAdded?: string;
}

/** As kubectl and kubelet write a taint, of a node or a device: `key=value:Effect`. */
export const taintAsText = ({ key, value, effect }: Pick<Taint, 'key' | 'value'> & { readonly effect: string }): string =>
  `${key}${value === undefined ? '' : `=${value}`}:${effect}`;

/** What a pod tolerates. Without key (and with `Exists`) every taint, without effect every effect. */
export interface Toleration {
  readonly key?: string;
  readonly operator?: 'Exists' | 'Equal' | 'Gt' | 'Lt';
  readonly value?: string;
  readonly effect?: TaintEffect | '';
  readonly tolerationSeconds?: number;
}

/** A node as the API server gives it, less the fields that nothing here reads. Amounts are Kubernetes quantities. */
export interface Node {
  readonly apiVersion?: 'v1';
  readonly kind?: 'Node';
  readonly metadata: ObjectMeta;
  readonly spec?: { readonly providerID?: string; readonly unschedulable?: boolean; readonly taints?: readonly Taint[] };
  readonly status?: {
    readonly capacity?: ResourceList;
    readonly allocatable?: ResourceList;
    readonly conditions?: readonly Condition[];
    /** No kubelet of today states it. */
    readonly phase?: string;
    readonly nodeInfo?: { readonly kubeletVersion?: string };
  };
}

const INTEGER = /^-?\d+$/;

const compares = (operator: 'Gt' | 'Lt', taintValue: string, tolerated: string): boolean => {
  if (!INTEGER.test(taintValue) || !INTEGER.test(tolerated)) return false;
  return operator === 'Gt' ? BigInt(taintValue) > BigInt(tolerated) : BigInt(taintValue) < BigInt(tolerated);
};

const bearsValue = (toleration: Toleration, taintValue: string): boolean => {
  const { operator = 'Equal', value = '' } = toleration;
  if (operator === 'Exists') return true;
  return operator === 'Equal' ? value === taintValue : compares(operator, taintValue, value);
};

/**
 * Whether one toleration tolerates one taint. `Exists` without a key tolerates every key, a toleration without an
 * effect every effect. Source: Kubernetes, `Toleration.ToleratesTaint`.
 */
export const toleratesTaint = (toleration: Toleration, taint: Taint): boolean => {
  const { key = '', operator, effect = '' } = toleration;
  if (effect !== '' && effect !== taint.effect) return false;
  if (key === '') return operator === 'Exists';
  return key === taint.key && bearsValue(toleration, taint.value ?? '');
};

const isBorne = (taint: Taint, tolerations: readonly Toleration[]): boolean => tolerations.some((t) => toleratesTaint(t, taint));

/** The first taint that keeps the pod away; undefined when none does. `PreferNoSchedule` keeps nothing away. */
export const firstUntolerated = (taints: readonly Taint[], tolerations: readonly Toleration[] = []): Taint | undefined =>
  taints.find((taint) => taint.effect !== 'PreferNoSchedule' && !isBorne(taint, tolerations));

/** The first taint that would rather not have the pod. */
export const firstUntoleratedPreference = (taints: readonly Taint[], tolerations: readonly Toleration[] = []): Taint | undefined =>
  taints.find((taint) => taint.effect === 'PreferNoSchedule' && !isBorne(taint, tolerations));

/** Whether no taint keeps the pod off. `PreferNoSchedule` keeps nothing off. */
export const tolerates = (taints: readonly Taint[], tolerations?: readonly Toleration[]): boolean =>
  firstUntolerated(taints, tolerations) === undefined;
