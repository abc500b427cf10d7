import { labels } from '../apis/index.ts';
import type { ConversionNote } from './conversion.ts';
import { FORMER_POOL_LABEL, renamedAnnotations } from './metadata.ts';

const renamedTaint = 'karpenter.sh/disrupted (effect NoSchedule)';

/** What workloads may still say in words of former versions. */
const formerNames: ReadonlyMap<string, string> = new Map([
  ...renamedAnnotations,
  [FORMER_POOL_LABEL, labels.nodePool],
  ['karpenter.sh/disruption', renamedTaint],
]);

/**
 * A note wherever an object of another kind uses a name that Karpenter no longer knows, as a key or as a value. Cost:
 * one walk.
 */
export const formerNameNotes = (path: string, value: unknown): readonly ConversionNote[] => {
  if (typeof value === 'string') {
    const now = formerNames.get(value);
    return now === undefined ? [] : [{ field: path, note: `${value} is ${now} now` }];
  }
  if (Array.isArray(value)) return value.flatMap((item, index) => formerNameNotes(`${path}[${index}]`, item));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    const now = formerNames.get(key);
    const here = path === '' ? key : `${path}.${key}`;
    return [...(now === undefined ? [] : [{ field: here, note: `${key} is ${now} now` }]), ...formerNameNotes(here, item)];
  });
};
