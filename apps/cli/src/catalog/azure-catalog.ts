import {
  type AKSNodeClass,
  AZURE_GROUP,
  azureLabelCatalog,
  azureLabels,
  classChangeDrift,
  type OfflineCatalog,
  offlineCatalog,
  offlineRegions,
  storedNodeClass,
} from '@karpenter/azure/catalog';
import { getOrMake } from '@karpenter/core/internal';
import { CommandError, COMMAND_EXIT } from '../exit-code.ts';
import type { Catalog, CatalogQuestion, ClassChange } from './catalog.ts';

type ClassesOfAzure = { readonly [K in keyof ClassChange]: AKSNodeClass };

const DEFAULT_REGION = 'eastus';

const unknownRegion = (region: string): CommandError =>
  new CommandError(COMMAND_EXIT.usage, `no prices are known for the region ${region}; one of ${offlineRegions.join(', ')}`);

const read = (region: string): OfflineCatalog => {
  const catalog = offlineCatalog(region);
  if (catalog === undefined) throw unknownRegion(region);
  return catalog;
};

/**
 * Sizes and prices of an Azure region, from the tables that the provider brings. The region: the one that is named,
 * that of the nodes, or eastus. Errors: CommandError for a region without prices.
 */
export const azureCatalog = (named: string | undefined): Catalog => {
  if (named !== undefined && !offlineRegions.includes(named)) throw unknownRegion(named);
  const known = new Map<string, OfflineCatalog>();
  const catalogOf = (question: CatalogQuestion): OfflineCatalog => {
    const region = named ?? question.region ?? DEFAULT_REGION;
    return getOrMake(known, region, () => read(region));
  };
  return {
    titleOf: (question) => `Azure ${catalogOf(question).location}, prices of ${catalogOf(question).pricesAsOf}, those of spot estimated`,
    nodeClassKind: { group: AZURE_GROUP, version: 'v1beta1', kind: 'AKSNodeClass', plural: 'aksnodeclasses' },
    labelCatalog: azureLabelCatalog,
    zonalRequirement: `${azureLabels.placementScope} In [zonal]`,
    // Here and below: the API server holds the class to the schema of its kind.
    typesFor: (_pool, question) => Promise.resolve(catalogOf(question).instanceTypes(question.nodeClass as AKSNodeClass | undefined)),
    storedClass: (manifest) => storedNodeClass(manifest as AKSNodeClass),
    classDriftOf: (claim, change) => classChangeDrift(claim, change as ClassesOfAzure),
  };
};
