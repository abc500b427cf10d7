import { reportSafely } from '@karpenter/runtime';
import type { Logger } from '../../../ports/index.ts';

/**
 * Makes something of each item for a report. If that throws for one item, the item is left out and logged by its name:
 * it costs the others nothing.
 */
export const madeApart = <T, R>(
  items: readonly T[],
  make: (item: T) => readonly R[],
  { logger, nameOf }: { readonly logger: Logger; readonly nameOf: (item: T) => string },
): readonly R[] => {
  const made: R[] = [];
  for (const item of items) reportSafely({ logger, about: { item: nameOf(item) } }, () => void made.push(...make(item)));
  return made;
};
