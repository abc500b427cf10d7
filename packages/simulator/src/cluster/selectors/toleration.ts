import type { Taint } from '@karpenter/core';
import type { Toleration } from '@karpenter/core/internal';

const comparesValue = (toleration: Toleration, taint: Taint): boolean => {
  const [bound, value] = [Number(toleration.value), Number(taint.value)];
  switch (toleration.operator ?? 'Equal') {
    case 'Exists':
      return true;
    case 'Equal':
      return (toleration.value ?? '') === (taint.value ?? '');
    case 'Gt':
      return value > bound;
    case 'Lt':
      return value < bound;
  }
};

/** Whether one toleration answers one taint. No key with `Exists` answers every taint; no effect answers every effect. */
export const tolerationMatches = (toleration: Toleration, taint: Taint): boolean => {
  if (toleration.effect !== undefined && toleration.effect !== taint.effect) return false;
  const key = toleration.key ?? '';
  if (key === '') return toleration.operator === 'Exists';
  return key === taint.key && comparesValue(toleration, taint);
};

export const isTolerated = (taint: Taint, tolerations: readonly Toleration[] | undefined): boolean =>
  tolerations?.some((toleration) => tolerationMatches(toleration, taint)) ?? false;
