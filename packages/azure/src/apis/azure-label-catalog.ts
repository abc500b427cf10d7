import { defaultLabelCatalog, labels, type LabelCatalog, mergeLabelCatalogs } from '@karpenter/core';
import { AZURE_GROUP, aksLabels, azureLabels } from './azure-names.ts';

const BOOLEAN = new Set(['true', 'false']);
const PRIORITY = new Set(['regular', 'spot']);

const { skuHyperVGeneration, nodeClass: _nodeClass, ...ownLabels } = azureLabels;

const azureOnly: LabelCatalog = {
  wellKnown: new Set([
    ...Object.values(ownLabels),
    aksLabels.cluster,
    aksLabels.mode,
    aksLabels.scaleSetPriority,
    aksLabels.priority,
    aksLabels.osSku,
    aksLabels.fipsEnabled,
    aksLabels.skuCpu,
    aksLabels.skuMemory,
  ]),
  restrictedDomains: new Set([AZURE_GROUP]),
  restrictedLabels: new Set([skuHyperVGeneration]),
  normalizedKeys: new Map([['topology.disk.csi.azure.com/zone', labels.zone]]),
  normalizedValues: new Map([[labels.zone, new Map([['', '0']])]]),
  knownValues: new Map<string, ReadonlySet<string>>([
    [labels.capacityType, new Set(['spot', 'on-demand', 'reserved'])],
    [azureLabels.skuAcceleratedNetworking, BOOLEAN],
    [azureLabels.skuPremiumStorage, BOOLEAN],
    [azureLabels.skuUltraSSD, BOOLEAN],
    [azureLabels.skuGpuManufacturer, new Set(['nvidia', 'amd'])],
    [azureLabels.placementScope, new Set(['zonal', 'regional'])],
    [aksLabels.mode, new Set(['system', 'user'])],
    [aksLabels.scaleSetPriority, PRIORITY],
    [aksLabels.priority, PRIORITY],
    [aksLabels.osSku, new Set(['Ubuntu', 'AzureLinux'])],
    [aksLabels.fipsEnabled, new Set(['true'])],
  ]),
};

/**
 * What holds on AKS beside what holds everywhere. Disks without a zone carry an empty zone label, which means the
 * regional zone `0`: their volumes would match no node otherwise.
 */
export const azureLabelCatalog: LabelCatalog = mergeLabelCatalogs(defaultLabelCatalog, azureOnly);

/** The same where capacity reservations may be launched into. */
export const reservingLabelCatalog: LabelCatalog = { ...azureLabelCatalog, reservationId: azureLabels.capacityReservationId };
