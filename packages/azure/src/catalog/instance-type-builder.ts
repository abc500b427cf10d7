import { type InstanceType, labels, type Offering, type Requirement, type Requirements } from '@karpenter/core';
import { azureLabelCatalog, aksLabels, azureLabels } from '../apis/index.ts';
import type { Sku } from '../skus/index.ts';
import { capacityOf, diskLimitsOf } from './capacity.ts';
import { gpuDevicesOf } from './gpu-devices.ts';
import { oneOfValues } from './label-values.ts';
import type { NodeClassFacets } from './node-class-facets.ts';
import { type PurchaseFacts, offeringOf, type SizePurchase } from './offerings.ts';
import { overheadOf } from './overhead.ts';
import { skuLabelsOf } from './sku-labels.ts';

/** What holds for every type of a cluster. */
export interface CatalogSettings {
  readonly location: string;
  /** Value of the label `kubernetes.azure.com/cluster`. */
  readonly clusterLabel: string;
  readonly vmMemoryOverheadPercent: number;
}

/** Labels that a type says nothing about: the pool's name is the claim's own. */
const NOT_OF_TYPES: ReadonlySet<string> = new Set([labels.nodePool]);
const ABSENT: Requirements = new Map(
  [...azureLabelCatalog.wellKnown].filter((key) => !NOT_OF_TYPES.has(key)).map((key) => [key, oneOfValues(key, [])]),
);
const OF_OFFERINGS = [
  labels.zone,
  labels.capacityType,
  azureLabels.placementScope,
  azureLabels.skuUltraSSD,
  aksLabels.priority,
  aksLabels.scaleSetPriority,
  azureLabels.capacityReservationId,
  azureLabels.capacityReservationGroup,
] as const;

const clusterRequirements = (settings: CatalogSettings, facets: NodeClassFacets): readonly Requirement[] => [
  oneOfValues(labels.region, [settings.location]),
  oneOfValues(aksLabels.cluster, [settings.clusterLabel]),
  oneOfValues(aksLabels.mode, ['system', 'user']),
  oneOfValues(aksLabels.osSku, [facets.osSku]),
  oneOfValues(aksLabels.fipsEnabled, facets.isFips ? ['true'] : []),
];

/** All values of a label on the available offerings; the label may be absent if it is absent on one of them. */
const union = (key: string, offerings: readonly Offering[]): Requirement => {
  const values = new Set<string>();
  let mayBeAbsent = false;
  for (const { isAvailable, requirements } of offerings) {
    const requirement = isAvailable ? requirements.get(key) : undefined;
    if (requirement?.values.kind !== 'in') continue;
    for (const value of requirement.values.values) values.add(value);
    mayBeAbsent ||= requirement.mayBeAbsent;
  }
  return { ...oneOfValues(key, values), ...(mayBeAbsent && { mayBeAbsent }) };
};

export interface TypeSource {
  readonly sku: Sku;
  readonly facets: NodeClassFacets;
  readonly settings: CatalogSettings;
  readonly knownMemoryBytes: number | undefined;
}

/** One instance type as a class sees it by the prices and the stock of one moment. */
export const buildInstanceType = (source: TypeSource, purchases: readonly SizePurchase[], facts: PurchaseFacts): InstanceType => {
  const { sku, facets, settings, knownMemoryBytes } = source;
  const possible = facets.isInPlacementGroup ? purchases.filter(({ reservation }) => reservation === undefined) : purchases;
  const offerings = possible.map((purchase) => offeringOf(sku, purchase, facts));
  const requirements = new Map(ABSENT);
  const own = [
    ...Object.entries(skuLabelsOf(sku)).map(([key, value]) => oneOfValues(key, [value])),
    oneOfValues(azureLabels.skuHyperVGeneration, sku.hyperVGenerations),
    ...clusterRequirements(settings, facets),
    ...OF_OFFERINGS.map((key) => union(key, offerings)),
  ];
  for (const requirement of own) requirements.set(requirement.key, requirement);
  return {
    name: sku.name,
    requirements,
    offerings,
    capacity: capacityOf(sku, { ...settings, ...facets, knownMemoryBytes }),
    overhead: overheadOf(sku.vCpus, sku.memoryGiB),
    ...diskLimitsOf(sku),
    ...gpuDevicesOf({ ...sku, mig: facets.mig }),
  };
};
