import type { InstanceType } from '@karpenter/core';
import type { Sku } from '../skus/index.ts';

/** A GPU as NVIDIA's DRA driver describes it. */
interface GpuModel {
  readonly productName: string;
  readonly architecture: string;
  readonly cudaComputeCapability: string;
  /** What NVML reports. */
  readonly memory: string;
}

const ampere = (productName: string, memory: string): GpuModel => ({
  ...{ productName, memory, architecture: 'Ampere', cudaComputeCapability: '8.0.0' },
});
const hopper = (productName: string, memory: string): GpuModel => ({
  ...{ productName, memory, architecture: 'Hopper', cudaComputeCapability: '9.0.0' },
});

/** Sizes with whole GPUs of one model, by pattern. */
const MODELS: readonly (readonly [RegExp, GpuModel])[] = [
  [/^nc\d+as_t4_v3$/, { productName: 'Tesla T4', architecture: 'Turing', cudaComputeCapability: '7.5.0', memory: '15360Mi' }],
  [/^nc\d+r?s_v3$/, { productName: 'Tesla V100-PCIE-16GB', architecture: 'Volta', cudaComputeCapability: '7.0.0', memory: '16384Mi' }],
  [/^nc\d+ads_a100_v4$/, ampere('NVIDIA A100 80GB PCIe', '81920Mi')],
  [/^nd\d+asr_v4$/, ampere('NVIDIA A100-SXM4-40GB', '40960Mi')],
  [/^nd\d+amsr_a100_v4$/, ampere('NVIDIA A100-SXM4-80GB', '81920Mi')],
  [/^nc\d+adi?s_h100_v5$/, hopper('NVIDIA H100 NVL', '95830Mi')],
  [/^nd\d+isrf?_h100_v5$/, hopper('NVIDIA H100 80GB HBM3', '81559Mi')],
  [/^nd\d+isrf?_h200_v5$/, hopper('NVIDIA H200', '143771Mi')],
];

const DRIVER = 'gpu.nvidia.com';

/**
 * The devices that NVIDIA's DRA driver will publish on machines of a size: whole GPUs, in one pool. What is known on the node alone (uuid, PCI address,
 * versions of drivers) is not among their attributes. Source: kubernetes-sigs/dra-driver-nvidia-gpu, `cmd/gpu-kubelet-plugin/deviceinfo.go`.
 */
export const gpuDevicesOf = ({ name, gpus }: Pick<Sku, 'name' | 'gpus'>): Pick<InstanceType, 'dynamicResources'> => {
  const size = name.toLowerCase().replace(/^standard_/, '');
  const model = MODELS.find(([pattern]) => pattern.test(size))?.[1];
  if (model === undefined || gpus === 0) return {};
  const { productName, architecture, cudaComputeCapability, memory } = model;
  const attributes = {
    type: { string: 'gpu' },
    productName: { string: productName },
    architecture: { string: architecture },
    cudaComputeCapability: { version: cudaComputeCapability },
  };
  const capacity = { memory: { value: memory } };
  const devices = Array.from({ length: gpus }, (_, minor) => ({ name: `gpu-${minor}`, attributes, capacity }));
  return { dynamicResources: { resourceSliceTemplates: [{ driver: DRIVER, pool: 'gpus', devices }] } };
};
