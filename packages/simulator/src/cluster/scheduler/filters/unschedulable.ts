import { isTolerated } from '../../selectors/toleration.ts';
import { UNSCHEDULABLE } from '../node-slot.ts';
import type { NodeFilter } from './node-filter.ts';
import { ADMITTED } from './node-filter.ts';

const REFUSED = ['node(s) were unschedulable'];

/** A cordoned node takes only pods that tolerate `node.kubernetes.io/unschedulable`. */
export const unschedulable: NodeFilter = (pod, slot) =>
  slot.isUnschedulable && !isTolerated(UNSCHEDULABLE, pod.spec.tolerations) ? REFUSED : ADMITTED;
