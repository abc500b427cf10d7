export { type Gpu, gpuOf } from './gpu.ts';
export type { ResourceSku, SkuCapability } from './resource-sku.ts';
export { type Sku, skuOf } from './sku.ts';
export { makesConfidentialVms, type SkuRejection, skuRejectionOf } from './usable-sku.ts';
export { parseVmSize, seriesOf, type VmSize } from './vm-size.ts';
