import type { SimulatedInstanceType } from './simulated-instance-type.ts';

const ZONES = ['sim-1', 'sim-2', 'sim-3'];
const PRICE_PER_CPU = 0.03;
const PRICE_PER_GIB = 0.004;
const DISK_DRIVER = 'disk.csi.simulated.test';
const DISKS_PER_CPU = 2;

const family = (letter: string, gibPerCpu: number, arch: 'amd64' | 'arm64'): readonly SimulatedInstanceType[] =>
  [1, 2, 4, 8, 16, 32, 64].map((cpu) => ({
    ...{ name: `sim-${letter}${cpu}${arch === 'arm64' ? 'p' : ''}`, cpu, memoryGiB: cpu * gibPerCpu, arch, zones: ZONES },
    volumeLimits: { [DISK_DRIVER]: DISKS_PER_CPU * cpu },
    pricePerHour: Math.round(cpu * (PRICE_PER_CPU + gibPerCpu * PRICE_PER_GIB) * (arch === 'arm64' ? 0.8 : 1) * 1e6) / 1e6,
  }));

/**
 * Compute, general and memory sizes from 1 to 64 cores, for two architectures, in three zones; each core attaches two
 * disks.
 */
export const defaultInstanceTypes: readonly SimulatedInstanceType[] = [
  ...family('c', 2, 'amd64'),
  ...family('g', 4, 'amd64'),
  ...family('m', 8, 'amd64'),
  ...family('g', 4, 'arm64'),
];
