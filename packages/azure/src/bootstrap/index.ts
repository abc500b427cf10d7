export type { BootstrapSource } from './bootstrap-variables.ts';
export { customDataOf } from './custom-data.ts';
export { type GpuDriver, gpuDriverOf } from './gpu-driver.ts';
export { kubeletFlagsOf, type KubeletSettings } from './kubelet-flags.ts';
export { type NodeLabelSource, nodeLabelsOf } from './node-labels.ts';
export { nodeTaintsOf } from './node-taints.ts';
export { type ProvisionSource, type ProvisionValues, provisionValuesOf } from './provision-values.ts';
