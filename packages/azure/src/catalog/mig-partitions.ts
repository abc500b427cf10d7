import type { InstanceType } from '@karpenter/core';
import type { MigProfile } from '../apis/index.ts';
import type { GpuModel, MigLayout } from './gpu-models.ts';

type Template = NonNullable<InstanceType['dynamicResources']>['resourceSliceTemplates'][number];
type Device = NonNullable<Template['devices']>[number];
type Amounts = Readonly<Record<string, { readonly value: string }>>;

/** A way to split off a part of a GPU, and where on its memory slices the part can lie. */
interface MigShape {
  /** NVML's id of the GPU instance profile. */
  readonly id: number;
  readonly starts: readonly number[];
  readonly memorySlices: 1 | 2 | 4 | 8;
}

/** The profiles of A100 and Hopper in the order of `MigProfiles`, as `nvidia-smi mig -lgipp` prints them. */
const SHAPES: readonly MigShape[] = [
  { id: 19, starts: [0, 1, 2, 3, 4, 5, 6], memorySlices: 1 },
  { id: 20, starts: [0, 1, 2, 3, 4, 5, 6], memorySlices: 1 },
  { id: 15, starts: [0, 2, 4, 6], memorySlices: 2 },
  { id: 14, starts: [0, 2, 4], memorySlices: 2 },
  { id: 9, starts: [0, 4], memorySlices: 4 },
  { id: 5, starts: [0], memorySlices: 4 },
  { id: 0, starts: [0], memorySlices: 8 },
];
/** That of all of the GPU. */
const WHOLE = SHAPES.length - 1;

const ENGINES = ['multiprocessors', 'copyEngines', 'decoders', 'encoders', 'jpegEngines', 'ofaEngines'] as const;

/** Profile by profile what `nvidia-smi mig -lgip` prints of these engines. */
const AMOUNTS: Readonly<Record<MigLayout['architecture'], readonly (readonly number[])[]>> = {
  Ampere: [
    [14, 1, 0, 0, 0, 0],
    [14, 1, 1, 0, 1, 1],
    [14, 1, 1, 0, 0, 0],
    [28, 2, 1, 0, 0, 0],
    [42, 3, 2, 0, 0, 0],
    [56, 4, 2, 0, 0, 0],
    [98, 7, 5, 0, 1, 1],
  ],
  Hopper: [
    [16, 1, 1, 0, 1, 0],
    [16, 1, 1, 0, 1, 1],
    [26, 1, 1, 0, 1, 0],
    [32, 2, 2, 0, 2, 0],
    [60, 3, 3, 0, 3, 0],
    [64, 4, 4, 0, 4, 0],
    [132, 8, 7, 0, 7, 1],
  ],
};

/**
 * Profiles that fill a GPU with parts of one kind → their place among the profiles. Source: AgentBaker's
 * `mig-partition.sh`.
 */
const FILLING: Readonly<Record<MigProfile, number>> = { MIG1g: 0, MIG2g: 3, MIG3g: 4, MIG4g: 5, MIG7g: WHOLE };

const MEMORY_SLICES = [1, 2, 4, 8] as const;

/** What a GPU is split into. */
export interface SplittableGpu {
  readonly model: GpuModel;
  readonly layout: MigLayout;
  readonly minor: number;
}

/** A part of one GPU: a profile, by its place among the profiles, at a place in its memory. */
interface Part extends SplittableGpu {
  readonly profile: number;
  readonly start: number;
}

const shapeOf = (profile: number): MigShape => SHAPES[profile] ?? { id: 0, starts: [], memorySlices: 8 };

const capacityOf = ({ layout, profile }: Pick<Part, 'layout' | 'profile'>): Amounts => {
  const amounts = AMOUNTS[layout.architecture][profile] ?? [];
  const memory = layout.memoryMiB[MEMORY_SLICES.indexOf(shapeOf(profile).memorySlices)] ?? 0;
  return {
    ...Object.fromEntries(ENGINES.map((name, index) => [name, { value: String(amounts[index] ?? 0) }])),
    memory: { value: `${memory}Mi` },
  };
};

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** One of each memory slice that the part lies on, by a name for each. */
const slicesOf = ({ profile, start }: Pick<Part, 'profile' | 'start'>, nameOf: (slice: number) => string): Amounts =>
  Object.fromEntries(Array.from({ length: shapeOf(profile).memorySlices }, (_, index) => [nameOf(start + index), { value: '1' }]));

/** What a part takes of its GPU. */
const countersOf = (part: Pick<Part, 'layout' | 'profile' | 'start'>): Amounts => ({
  ...Object.fromEntries(Object.entries(capacityOf(part)).map(([name, amount]) => [kebab(name), amount])),
  ...slicesOf(part, (slice) => `memory-slice-${slice}`),
});

const counterSetOf = (minor: number): string => `gpu-${minor}-counter-set`;

const deviceOf = (part: Part): Device => {
  const { model, layout, minor, profile, start } = part;
  const name = layout.profiles[profile] ?? '';
  return {
    name: `gpu-${minor}-mig-${name.replace('.', '').replace('+', '-')}-${shapeOf(profile).id}-${start}`,
    attributes: { ...model.attributes, type: { string: 'mig' }, profile: { string: name } },
    capacity: capacityOf(part),
  };
};

const consuming = (device: Device, part: Pick<Part, 'layout' | 'minor' | 'profile' | 'start'>): Device => ({
  ...device,
  consumesCounters: [{ counterSet: counterSetOf(part.minor), counters: countersOf(part) }],
});

/** The GPU as a whole, and every part that it can be split into. */
const devicesOf = (gpu: SplittableGpu): readonly Device[] => {
  const whole = { ...gpu, profile: WHOLE, start: 0 };
  const parts = SHAPES.flatMap(({ starts }, profile) => starts.map((start) => ({ ...gpu, profile, start })));
  return [
    consuming({ name: `gpu-${gpu.minor}`, attributes: gpu.model.attributes, capacity: capacityOf(whole) }, whole),
    ...parts.map((part) => consuming(deviceOf(part), part)),
  ];
};

/**
 * GPUs as NVIDIA's driver publishes them with its gate `DynamicMIG`. One slice has the counters of all GPUs. Each GPU
 * has a slice with the whole GPU and every part that it can be split into. Source:
 * kubernetes-sigs/dra-driver-nvidia-gpu, `partitions.go`, `mig.go` and `driver.go`.
 */
export const dynamicPartitions = (gpus: readonly SplittableGpu[]): readonly Template[] => {
  const pool = { driver: 'gpu.nvidia.com', pool: 'gpus' };
  const sharedCounters = gpus.map(({ layout, minor }) => ({
    name: counterSetOf(minor),
    counters: countersOf({ layout, profile: WHOLE, start: 0 }),
  }));
  return [{ ...pool, sharedCounters }, ...gpus.map((gpu) => ({ ...pool, devices: devicesOf(gpu) }))];
};

/**
 * GPUs that were filled with parts of one profile when the node started, as the driver publishes them without that
 * gate: the parts alone.
 */
export const fixedPartitions = (gpus: readonly SplittableGpu[], filledWith: MigProfile): readonly Template[] => {
  const profile = FILLING[filledWith];
  const devices = gpus.flatMap((gpu) =>
    shapeOf(profile).starts.map((start) => {
      const device = deviceOf({ ...gpu, profile, start });
      return { ...device, capacity: { ...device.capacity, ...slicesOf({ profile, start }, (slice) => `memorySlice${slice}`) } };
    }),
  );
  return [{ driver: 'gpu.nvidia.com', pool: 'gpus', devices }];
};
