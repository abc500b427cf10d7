import type { FieldProblem } from '../../base/index.ts';
import { isLabelKey, isLabelValue } from '../../kube/index.ts';
import type { LabelCatalog } from '../label-catalog.ts';
import { labels as names } from '../names.ts';
import { isRestrictedLabel } from '../restricted-label.ts';

const KEY_SHAPE = 'must be a label key: at most 63 letters, digits, "-", "_" or ".", with an optional DNS prefix and "/"';
const VALUE_SHAPE =
  'must be a label value: empty, or at most 63 letters, digits, "-", "_" or ".", beginning and ending with a letter or digit';

/** What is wrong with a label that a user names; `forNodePool` also refuses the label that says which pool a node is of. */
export const labelKeyProblems = (
  field: string,
  key: string,
  { catalog, forNodePool }: { readonly catalog: LabelCatalog; readonly forNodePool: boolean },
): readonly FieldProblem[] => {
  if (!isLabelKey(key)) return [{ field, value: key, problem: KEY_SHAPE }];
  if (forNodePool && key === names.nodePool) return [{ field, value: key, problem: 'is set by Karpenter and cannot be chosen' }];
  if (!isRestrictedLabel(key, catalog)) return [];
  return [{ field, value: key, problem: 'is restricted; choose a label of a domain of your own, or a well-known one' }];
};

export const labelValueProblems = (field: string, value: string): readonly FieldProblem[] =>
  isLabelValue(value) ? [] : [{ field, value, problem: VALUE_SHAPE }];
