/** A GPU as its DRA driver describes it. What is known on the node alone (uuid, PCI address, versions of drivers) is left out. */
export interface GpuModel {
  readonly driver: 'gpu.nvidia.com' | 'gpu.amd.com';
  /** Of a whole GPU. */
  readonly attributes: Readonly<Record<string, { readonly string?: string; readonly version?: string }>>;
  readonly capacity: Readonly<Record<string, { readonly value: string }>>;
  /** How NVIDIA's driver can split it while the node runs; undefined where it cannot. */
  readonly migProfiles?: MigProfiles | undefined;
}

/** The names that one model has for the seven profiles of Hopper, smallest first. */
export type MigProfiles = readonly [
  oneSlice: string,
  oneSliceMedia: string,
  oneSliceLarge: string,
  twoSlices: string,
  threeSlices: string,
  fourSlices: string,
  sevenSlices: string,
];

interface Nvidia {
  readonly productName: string;
  readonly architecture: string;
  readonly cudaComputeCapability: string;
  /** `memory.total` of `nvidia-smi`, in MiB. */
  readonly memoryMiB: number;
  readonly migProfiles?: MigProfiles;
}

/** Source: kubernetes-sigs/dra-driver-nvidia-gpu, `cmd/gpu-kubelet-plugin/deviceinfo.go`. */
const nvidia = ({ productName, architecture, cudaComputeCapability, memoryMiB, migProfiles }: Nvidia): GpuModel => ({
  driver: 'gpu.nvidia.com',
  attributes: {
    type: { string: 'gpu' },
    productName: { string: productName },
    architecture: { string: architecture },
    cudaComputeCapability: { version: cudaComputeCapability },
  },
  capacity: { memory: { value: `${memoryMiB}Mi` } },
  migProfiles,
});

const ampere = (productName: string, memoryMiB: number): GpuModel =>
  nvidia({ productName, memoryMiB, architecture: 'Ampere', cudaComputeCapability: '8.0.0' });
const hopper = (productName: string, memoryMiB: number, migProfiles: MigProfiles): GpuModel =>
  nvidia({ productName, memoryMiB, architecture: 'Hopper', cudaComputeCapability: '9.0.0', migProfiles });

/** Source: ROCm/k8s-gpu-dra-driver, `docs/driver-attributes.md`, and the slice of an MI300X in `docs/demo.md`. */
const mi300x: GpuModel = {
  driver: 'gpu.amd.com',
  attributes: {
    type: { string: 'amdgpu' },
    family: { string: 'AI' },
    productName: { string: 'AMD_Instinct_MI300X_OAM' },
    partitionProfile: { string: 'spx_nps1' },
  },
  capacity: { memory: { value: '196592Mi' }, computeUnits: { value: '304' }, simdUnits: { value: '1216' } },
};

/**
 * Sizes with whole GPUs of one model, by pattern. Names and memory are as `nvidia-smi` printed them: for T4, A100 of 40 GB and H100 of 80 GB in the captures
 * of NVIDIA/k8s-test-infra (`testdata/hardware`), for the others in issues and logs of public repositories. Profiles: NVIDIA's MIG User Guide.
 */
const MODELS: readonly (readonly [RegExp, GpuModel])[] = [
  [/^nc\d+as_t4_v3$/, nvidia({ productName: 'Tesla T4', architecture: 'Turing', cudaComputeCapability: '7.5.0', memoryMiB: 15_360 })],
  [
    /^nc\d+r?s_v3$/,
    nvidia({ productName: 'Tesla V100-PCIE-16GB', architecture: 'Volta', cudaComputeCapability: '7.0.0', memoryMiB: 16_384 }),
  ],
  [/^nc\d+ads_a100_v4$/, ampere('NVIDIA A100 80GB PCIe', 81_920)],
  [/^nd\d+asr_v4$/, ampere('NVIDIA A100-SXM4-40GB', 40_960)],
  [/^nd\d+amsr_a100_v4$/, ampere('NVIDIA A100-SXM4-80GB', 81_920)],
  [
    /^nc\d+adi?s_h100_v5$/,
    hopper('NVIDIA H100 NVL', 95_830, ['1g.12gb', '1g.12gb+me', '1g.24gb', '2g.24gb', '3g.47gb', '4g.47gb', '7g.94gb']),
  ],
  [
    /^nd\d+isrf?_h100_v5$/,
    hopper('NVIDIA H100 80GB HBM3', 81_559, ['1g.10gb', '1g.10gb+me', '1g.20gb', '2g.20gb', '3g.40gb', '4g.40gb', '7g.80gb']),
  ],
  [
    /^nd\d+isrf?_h200_v5$/,
    hopper('NVIDIA H200', 143_771, ['1g.18gb', '1g.18gb+me', '1g.35gb', '2g.35gb', '3g.71gb', '4g.71gb', '7g.141gb']),
  ],
  [/^nd\d+isr?_mi300x_v5$/, mi300x],
];

/** The model of a size's GPUs (`Standard_NC24ads_A100_v4`); undefined where it has none, parts of one, or one that is not known. */
export const gpuModelOf = (sizeName: string): GpuModel | undefined => {
  const size = sizeName.toLowerCase().replace(/^standard_/, '');
  return MODELS.find(([pattern]) => pattern.test(size))?.[1];
};
