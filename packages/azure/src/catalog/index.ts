export type { CatalogSettings } from './instance-type-builder.ts';
export { clusterLabelOf, oneOfValues, singleValues } from './label-values.ts';
export { type EphemeralPlacement, ephemeralPlacementOf } from './ephemeral-os-disk.ts';
export { migProfileOf } from './gpu-devices.ts';
export { type CatalogInputs, type InstanceTypeCatalog, instanceTypeCatalog } from './instance-type-catalog.ts';
export { facetsOf, type NodeClassFacets, osDiskSizeGBOf } from './node-class-facets.ts';
export { vmPriorityOf } from './offerings.ts';
export { EVICTION_MEMORY_MIB, type KubeReserved, kubeReservedOf } from './overhead.ts';
export { type UnavailableOfferings, unavailableOfferings } from './unavailable-offerings.ts';
