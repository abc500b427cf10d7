import { labelDomainOf } from '../kube/index.ts';
import { GROUP, capacityTypes, labels } from './names.ts';

/**
 * What a provider defines about labels. It is passed as a value and never global, so that two providers can live in one
 * process.
 */
export interface LabelCatalog {
  /** Labels that every new node will get: pods may require them although no NodePool defines them. */
  readonly wellKnown: ReadonlySet<string>;
  /** Domains (with their subdomains) that users may not use in templates and requirements, well-known labels excepted. */
  readonly restrictedDomains: ReadonlySet<string>;
  readonly restrictedLabels: ReadonlySet<string>;
  /** Deprecated or foreign key → the canonical key. */
  readonly normalizedKeys: ReadonlyMap<string, string>;
  /** Canonical key → (value → canonical value). */
  readonly normalizedValues: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Key → the only values that exist, to warn about misspellings. */
  readonly knownValues: ReadonlyMap<string, ReadonlySet<string>>;
  /** The label that names the reservation of a node. Absent: the provider has no reservations to launch into. */
  readonly reservationId?: string;
}

/** What holds for every provider. Source: the original's `pkg/apis/v1/labels.go`. */
export const defaultLabelCatalog: LabelCatalog = {
  wellKnown: new Set([
    labels.nodePool,
    labels.zone,
    labels.region,
    labels.instanceType,
    labels.arch,
    labels.os,
    labels.capacityType,
    labels.windowsBuild,
  ]),
  restrictedDomains: new Set([GROUP]),
  restrictedLabels: new Set([labels.hostname]),
  normalizedKeys: new Map([
    ['failure-domain.beta.kubernetes.io/zone', labels.zone],
    ['failure-domain.beta.kubernetes.io/region', labels.region],
    ['beta.kubernetes.io/arch', labels.arch],
    ['beta.kubernetes.io/os', labels.os],
    ['beta.kubernetes.io/instance-type', labels.instanceType],
  ]),
  normalizedValues: new Map(),
  knownValues: new Map([[labels.capacityType, new Set<string>(Object.values(capacityTypes))]]),
};

const reservationIdOf = (reservationId: string | undefined): Pick<LabelCatalog, 'reservationId'> =>
  reservationId === undefined ? {} : { reservationId };

/** Both catalogs in one; where both say something about one key, `b` wins. */
export const mergeLabelCatalogs = (a: LabelCatalog, b: LabelCatalog): LabelCatalog => ({
  wellKnown: new Set([...a.wellKnown, ...b.wellKnown]),
  restrictedDomains: new Set([...a.restrictedDomains, ...b.restrictedDomains]),
  restrictedLabels: new Set([...a.restrictedLabels, ...b.restrictedLabels]),
  normalizedKeys: new Map([...a.normalizedKeys, ...b.normalizedKeys]),
  normalizedValues: new Map([...a.normalizedValues, ...b.normalizedValues]),
  knownValues: new Map([...a.knownValues, ...b.knownValues]),
  ...reservationIdOf(b.reservationId ?? a.reservationId),
});

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
