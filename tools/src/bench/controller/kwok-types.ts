import type { SimulatedInstanceType } from '@karpenter/simulator';

/** The zones of the original's kwok provider. */
export const KWOK_ZONES = ['test-zone-a', 'test-zone-b', 'test-zone-c', 'test-zone-d'];
const CPUS = [1, 2, 4, 8, 16];
const GIB_PER_CPU = { c: 2, s: 4, m: 8 };
const PRICE_PER_CPU = 0.025;
const PRICE_PER_GIB = (0.001 * 1024 ** 3) / 1e9;

/**
 * The Linux sizes below 32 cores that the original's performance suite runs with.
 * Source: the original's kwok provider, `kwok/tools/gen_instance_types.go`; `kwok/cloudprovider` for what is reserved.
 */
export const kwokTypes: readonly SimulatedInstanceType[] = CPUS.flatMap((cpu) =>
  Object.entries(GIB_PER_CPU).flatMap(([family, gibPerCpu]) =>
    (['amd64', 'arm64'] as const).map((arch) => ({
      ...{ name: `${family}-${cpu}x-${arch}-linux`, cpu, memoryGiB: cpu * gibPerCpu, arch, zones: KWOK_ZONES },
      ...{ pods: 16 * cpu, reservedMemoryMiB: 10 },
      pricePerHour: cpu * (PRICE_PER_CPU + gibPerCpu * PRICE_PER_GIB),
    })),
  ),
);
