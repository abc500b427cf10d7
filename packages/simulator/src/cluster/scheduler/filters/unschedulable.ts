import type { Taint } from '@karpenter/core';
import { nodeTaints } from '../../objects/node-taints.ts';
import { isTolerated } from '../../selectors/toleration.ts';
import type { BinderFilter } from './node-filter.ts';
import { ADMITTED } from './node-filter.ts';

const CORDON: Taint = { key: nodeTaints.unschedulable, effect: 'NoSchedule' };
const REFUSED = ['node(s) were unschedulable'];

/** A cordoned node takes only pods that tolerate `node.kubernetes.io/unschedulable`. */
export const unschedulable: BinderFilter = (pod, slot) =>
  slot.isUnschedulable && !isTolerated(CORDON, pod.spec.tolerations) ? REFUSED : ADMITTED;
