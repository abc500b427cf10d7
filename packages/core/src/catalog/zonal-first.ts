import { labels } from '../apis/index.ts';
import type { LabelCatalog } from '../apis/index.ts';
import type { Offering } from './offering.ts';

/**
 * An order of offerings: those in a zone come before those in none, where the provider picks a machine's place within
 * its region. What stands for no zone is what the label catalog makes of an empty one.
 */
export const zonalFirst = ({ normalizedValues }: LabelCatalog): ((a: Offering, b: Offering) => number) => {
  const none = normalizedValues.get(labels.zone)?.get('');
  return (a, b) => Number(a.zone === none) - Number(b.zone === none);
};
