/**
 * A GPU as its DRA driver describes it. What is known on the node alone (uuid, PCI address, versions of drivers) is
 * left out.
 */
export interface GpuModel {
  readonly driver: 'gpu.nvidia.com' | 'gpu.amd.com';
  /** Of a whole GPU. */
  readonly attributes: Readonly<Record<string, { readonly string?: string; readonly version?: string }>>;
  readonly capacity: Readonly<Record<string, { readonly value: string }>>;
  /** How it can be split; undefined where it cannot. */
  readonly mig?: MigLayout | undefined;
}

/** The MIG partitions of a model. */
export interface MigLayout {
  readonly architecture: 'Ampere' | 'Hopper';
  readonly profiles: MigProfiles;
  /**
   * Of a partition with one, two, four and all eight memory slices: the least that `nvidia-smi mig -lgip` printed with
   * any version of the driver.
   */
  readonly memoryMiB: readonly [one: number, two: number, four: number, eight: number];
}

/** The names that one model has for the seven profiles, smallest first. */
type MigProfiles = readonly [
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
  /** Absent: it depends on the version of the driver. */
  readonly brand?: string;
  /** `memory.total` of `nvidia-smi`, in MiB. */
  readonly memoryMiB: number;
  readonly mig?: MigLayout;
}

/** Source: kubernetes-sigs/dra-driver-nvidia-gpu, `cmd/gpu-kubelet-plugin/deviceinfo.go`. */
const nvidia = ({ productName, brand, architecture, cudaComputeCapability, memoryMiB, mig }: Nvidia): GpuModel => ({
  driver: 'gpu.nvidia.com',
  attributes: {
    type: { string: 'gpu' },
    productName: { string: productName },
    ...(brand !== undefined && { brand: { string: brand } }),
    architecture: { string: architecture },
    cudaComputeCapability: { version: cudaComputeCapability },
  },
  capacity: { memory: { value: `${memoryMiB}Mi` } },
  mig,
});

type Splitting = Omit<MigLayout, 'architecture'> & { readonly wholeMiB: number };

const splitting =
  (architecture: MigLayout['architecture'], cudaComputeCapability: string) =>
  (productName: string, { wholeMiB, ...layout }: Splitting): GpuModel =>
    nvidia({
      ...{ productName, brand: 'Nvidia', architecture, cudaComputeCapability, memoryMiB: wholeMiB },
      mig: { architecture, ...layout },
    });
const ampere = splitting('Ampere', '8.0.0');
const hopper = splitting('Hopper', '9.0.0');

const A100_OF_80_GB: Splitting = {
  wholeMiB: 81_920,
  profiles: ['1g.10gb', '1g.10gb+me', '1g.20gb', '2g.20gb', '3g.40gb', '4g.40gb', '7g.80gb'],
  memoryMiB: [9_728, 19_968, 40_192, 80_384],
};

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
 * Sizes with whole GPUs of one model, by pattern. Names and memory are as `nvidia-smi` printed them. T4, A100 of 40
 * GB and H100 of 80 GB: captures of NVIDIA/k8s-test-infra (`testdata/hardware`). The others: issues and logs of
 * public repositories, H100 NVL on Azure among them. Profiles: NVIDIA's MIG User Guide. Of the H100 of 80 GB no list
 * shows the whole with the newer drivers: it is taken as twice the half.
 */
const MODELS: readonly (readonly [RegExp, GpuModel])[] = [
  [
    /^nc\d+as_t4_v3$/,
    nvidia({ productName: 'Tesla T4', brand: 'Nvidia', architecture: 'Turing', cudaComputeCapability: '7.5.0', memoryMiB: 15_360 }),
  ],
  [
    /^nc\d+r?s_v3$/,
    nvidia({ productName: 'Tesla V100-PCIE-16GB', architecture: 'Volta', cudaComputeCapability: '7.0.0', memoryMiB: 16_384 }),
  ],
  [/^nc\d+ads_a100_v4$/, ampere('NVIDIA A100 80GB PCIe', A100_OF_80_GB)],
  [
    /^nd\d+asrf?(_a100)?(_flex)?_v4$/,
    ampere('NVIDIA A100-SXM4-40GB', {
      wholeMiB: 40_960,
      profiles: ['1g.5gb', '1g.5gb+me', '1g.10gb', '2g.10gb', '3g.20gb', '4g.20gb', '7g.40gb'],
      memoryMiB: [4_864, 9_856, 19_968, 40_192],
    }),
  ],
  [/^nd\d+amsr?f?(_a100)?(_flex)?_v4$/, ampere('NVIDIA A100-SXM4-80GB', A100_OF_80_GB)],
  [
    /^nc\d+adi?s_h100_v5$/,
    hopper('NVIDIA H100 NVL', {
      wholeMiB: 95_830,
      profiles: ['1g.12gb', '1g.12gb+me', '1g.24gb', '2g.24gb', '3g.47gb', '4g.47gb', '7g.94gb'],
      memoryMiB: [10_880, 22_016, 47_232, 94_848],
    }),
  ],
  [
    /^nd\d+isr?f?(_flex|_noib)?_h100_v5$/,
    hopper('NVIDIA H100 80GB HBM3', {
      wholeMiB: 81_559,
      profiles: ['1g.10gb', '1g.10gb+me', '1g.20gb', '2g.20gb', '3g.40gb', '4g.40gb', '7g.80gb'],
      memoryMiB: [9_856, 19_968, 40_192, 80_384],
    }),
  ],
  [
    /^nd\d+isr?f?_h200_v5$/,
    hopper('NVIDIA H200', {
      wholeMiB: 143_771,
      profiles: ['1g.18gb', '1g.18gb+me', '1g.35gb', '2g.35gb', '3g.71gb', '4g.71gb', '7g.141gb'],
      memoryMiB: [16_384, 33_024, 71_168, 143_104],
    }),
  ],
  [/^nd\d+isr?_mi300x_v5$/, mi300x],
];

/**
 * The model of a size's GPUs (`Standard_NC24ads_A100_v4`); undefined where it has none, parts of one, or one that is
 * not known.
 */
export const gpuModelOf = (sizeName: string): GpuModel | undefined => {
  const size = sizeName.toLowerCase().replace(/^standard_/, '');
  return MODELS.find(([pattern]) => pattern.test(size))?.[1];
};
