import type { Taint } from '@karpenter/core';
import type { Toleration } from '@karpenter/core/internal';

type Operator = NonNullable<Toleration['operator']>;

const integer = (text: string): number => (/^-?\d+$/.test(text) ? Number(text) : Number.NaN);

const values: Readonly<Record<Operator, (taint: string, borne: string) => boolean>> = {
  Exists: () => true,
  Equal: (taint, borne) => taint === borne,
  Gt: (taint, borne) => integer(taint) > integer(borne),
  Lt: (taint, borne) => integer(taint) < integer(borne),
};

/** Source: Kubernetes, "Taints and Tolerations": no key and no effect mean each of them. */
const bears = ({ key = '', operator = 'Equal', value = '', effect = '' }: Toleration, taint: Taint): boolean =>
  (effect === '' || effect === taint.effect) &&
  (key === '' ? operator === 'Exists' : key === taint.key && values[operator](taint.value ?? '', value));

/** Whether the scheduler lets a pod with these tolerations onto the node: every hard taint is borne. */
export const bearsTaints = (taints: readonly Taint[], tolerations: readonly Toleration[] = []): boolean =>
  taints.every((taint) => taint.effect === 'PreferNoSchedule' || tolerations.some((toleration) => bears(toleration, taint)));
