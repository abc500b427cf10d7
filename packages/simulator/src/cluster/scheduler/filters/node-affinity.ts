import { matchesAnyTerm } from '../../selectors/node-selector.ts';
import type { BinderFilter } from './node-filter.ts';
import { ADMITTED } from './node-filter.ts';

export const AFFINITY_REFUSED = "node(s) didn't match Pod's node affinity/selector";
const REFUSED = [AFFINITY_REFUSED];

/** `nodeSelector` and the required node affinity; both must hold. */
export const nodeAffinity: BinderFilter = ({ spec }, slot) => {
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const isSelected = Object.entries(spec.nodeSelector ?? {}).every(([key, value]) => slot.labels[key] === value);
  return isSelected && (required === undefined || matchesAnyTerm(required.nodeSelectorTerms, slot)) ? ADMITTED : REFUSED;
};
