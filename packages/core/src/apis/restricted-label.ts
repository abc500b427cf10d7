import { labelDomainOf } from '../kube/index.ts';
import type { LabelCatalog } from './label-catalog.ts';

/**
 * Whether users must leave the label alone: its name or its domain (or a parent of it) is restricted, and it is not
 * well known.
 */
export const isRestrictedLabel = (key: string, catalog: LabelCatalog): boolean => {
  if (catalog.wellKnown.has(key)) return false;
  if (catalog.restrictedLabels.has(key)) return true;
  let domain = labelDomainOf(key);
  while (domain !== '') {
    if (catalog.restrictedDomains.has(domain)) return true;
    const dot = domain.indexOf('.');
    domain = dot < 0 ? '' : domain.slice(dot + 1);
  }
  return false;
};
