import type { Taint, Toleration } from './taint.ts';

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
