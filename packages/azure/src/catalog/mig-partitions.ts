import type { DynamicResources } from '@karpenter/core';
import type { GpuModel, MigProfiles } from './gpu-models.ts';

type Template = DynamicResources['resourceSliceTemplates'][number];
type Device = NonNullable<Template['devices']>[number];
type Amounts = Readonly<Record<string, number>>;

/** A way to split off a part of a GPU, and where on its memory slices the part can lie. */
interface MigShape {
  /** NVML's id of the GPU instance profile. */
  readonly id: number;
  readonly starts: readonly number[];
  readonly memorySlices: number;
  /** Multiprocessors, copy engines, decoders, JPEG engines and optical flow accelerators. */
  readonly units: readonly [multiprocessors: number, copyEngines: number, decoders: number, jpegEngines: number, ofaEngines: number];
}

const seven = [0, 1, 2, 3, 4, 5, 6];

/** All of the GPU. */
const WHOLE: MigShape = { id: 0, starts: [0], memorySlices: 8, units: [132, 8, 7, 7, 1] };

/** The profiles of an H100 in the order of `MigProfiles`, as `nvidia-smi mig -lgip` and `-lgipp` print them. H200 and H100 NVL have the same. */
const SHAPES: readonly MigShape[] = [
  { id: 19, starts: seven, memorySlices: 1, units: [16, 1, 1, 1, 0] },
  { id: 20, starts: seven, memorySlices: 1, units: [16, 1, 1, 1, 1] },
  { id: 15, starts: [0, 2, 4, 6], memorySlices: 2, units: [26, 1, 1, 1, 0] },
  { id: 14, starts: [0, 2, 4], memorySlices: 2, units: [32, 2, 2, 2, 0] },
  { id: 9, starts: [0, 4], memorySlices: 4, units: [60, 3, 3, 3, 0] },
  { id: 5, starts: [0], memorySlices: 4, units: [64, 4, 4, 4, 0] },
  WHOLE,
];

const UNITS = ['multiprocessors', 'copyEngines', 'decoders', 'jpegEngines', 'ofaEngines'] as const;

const amountsOf = ({ units }: MigShape): Amounts => Object.fromEntries(UNITS.map((name, index) => [name, units[index] ?? 0]));

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** What a part takes of its GPU: the engines, and the memory slices from `start` on. */
const countersOf = (shape: MigShape, start: number): Readonly<Record<string, { readonly value: string }>> => ({
  ...Object.fromEntries(Object.entries(amountsOf(shape)).map(([name, amount]) => [kebab(name), { value: String(amount) }])),
  ...Object.fromEntries(Array.from({ length: shape.memorySlices }, (_, index) => [`memory-slice-${start + index}`, { value: '1' }])),
});

const capacityOf = (shape: MigShape): NonNullable<Device['capacity']> =>
  Object.fromEntries(Object.entries(amountsOf(shape)).map(([name, amount]) => [name, { value: String(amount) }]));

const counterSetOf = (minor: number): string => `gpu-${minor}-counter-set`;

const partsOf = ({ attributes }: GpuModel, profiles: MigProfiles, minor: number): readonly Device[] =>
  SHAPES.flatMap((shape, index) => {
    const profile = profiles[index] ?? '';
    const name = profile.replace('.', '').replace('+', '-');
    return shape.starts.map((start) => ({
      name: `gpu-${minor}-mig-${name}-${shape.id}-${start}`,
      attributes: { ...attributes, type: { string: 'mig' }, profile: { string: profile } },
      capacity: capacityOf(shape),
      consumesCounters: [{ counterSet: counterSetOf(minor), counters: countersOf(shape, start) }],
    }));
  });

/**
 * A machine's GPUs as NVIDIA's driver publishes them with its gate `DynamicMIG`: one slice with the counters of all GPUs, and for each GPU a slice with the whole
 * GPU and every part that it can be split into. Source: kubernetes-sigs/dra-driver-nvidia-gpu, `partitions.go`, `mig.go` and `driver.go`.
 *
 * Differs: encoders (no Hopper GPU has any) and the memory of parts, which depends on the version of the driver, are left out.
 */
export const migTemplates = (model: GpuModel, profiles: MigProfiles, gpus: number): readonly Template[] => {
  const pool = { driver: model.driver, pool: 'gpus' };
  const minors = Array.from({ length: gpus }, (_, minor) => minor);
  const sharedCounters = minors.map((minor) => ({ name: counterSetOf(minor), counters: countersOf(WHOLE, 0) }));
  const devicesOf = (minor: number): readonly Device[] => [
    {
      name: `gpu-${minor}`,
      attributes: model.attributes,
      capacity: { ...capacityOf(WHOLE), ...model.capacity },
      consumesCounters: [{ counterSet: counterSetOf(minor), counters: countersOf(WHOLE, 0) }],
    },
    ...partsOf(model, profiles, minor),
  ];
  return [{ ...pool, sharedCounters }, ...minors.map((minor) => ({ ...pool, devices: devicesOf(minor) }))];
};
