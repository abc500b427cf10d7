import { isTolerated } from '../../selectors/toleration.ts';
import type { BinderFilter } from './node-filter.ts';
import { ADMITTED } from './node-filter.ts';

/** Every `NoSchedule` and `NoExecute` taint must be tolerated; the first that is not is named. */
export const taints: BinderFilter = (pod, slot) => {
  const taint = slot.taints.find((one) => one.effect !== 'PreferNoSchedule' && !isTolerated(one, pod.spec.tolerations));
  return taint === undefined ? ADMITTED : [`node(s) had untolerated taint {${taint.key}: ${taint.value ?? ''}}`];
};
