import type { Taint, Toleration } from '@karpenter/core';

const bears = ({ key, operator = 'Equal', value = '', effect }: Toleration, taint: Taint): boolean =>
  (effect === undefined || effect === taint.effect) &&
  (key === undefined || key === '' ? operator === 'Exists' : key === taint.key) &&
  (operator === 'Exists' || value === (taint.value ?? ''));

/** Whether the scheduler lets a pod with these tolerations onto the node: every hard taint is borne. */
export const bearsTaints = (taints: readonly Taint[], tolerations: readonly Toleration[] = []): boolean =>
  taints.every((taint) => taint.effect === 'PreferNoSchedule' || tolerations.some((toleration) => bears(toleration, taint)));
