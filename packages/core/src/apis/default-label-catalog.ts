import type { LabelCatalog } from './label-catalog.ts';
import { capacityTypes, GROUP, labels } from './names.ts';

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
