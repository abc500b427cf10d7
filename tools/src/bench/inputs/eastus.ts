import { readFileSync } from 'node:fs';
import type { InstanceType, Resources } from '@karpenter/core';
import { anInstanceType } from '@karpenter/testkit';

type Row = readonly [name: string, vCpus: number, memoryMiB: number, gpus: number, architecture: string, pricePerHour: number];

const file = new URL('../../../data/azure/eastus-sizes.json', import.meta.url);
const MIB = 1024 ** 2;
const PODS = 110;
const SPOT_SHARE = 0.3;
const zones = ['eastus-1', 'eastus-2', 'eastus-3'];

/** `[up to so many cores, kept of them in milli-cores]`; beyond, ten of each core and a hundred. */
const KEPT_CPU: readonly (readonly [cores: number, cpuMillis: number])[] = [
  [1, 60],
  [2, 100],
  [4, 140],
  [8, 180],
];

/** What AKS keeps of a node for itself: cpu by cores, 20 MiB a pod and 50 MiB or a quarter, 100 MiB before eviction. */
const overheadOf = (vCpus: number, memoryMiB: number): Resources => {
  const [, cpu] = KEPT_CPU.find(([cores]) => vCpus <= cores) ?? [vCpus, 100 + vCpus * 10];
  return { cpu, memory: Math.floor((Math.min(20 * PODS + 50, memoryMiB / 4) + 100) * MIB) };
};

const typeOf = ([name, vCpus, memoryMiB, gpus, arch, pricePerHour]: Row): InstanceType =>
  anInstanceType({
    name,
    cpus: vCpus,
    memoryBytes: memoryMiB * MIB,
    pods: PODS,
    arch,
    ...(gpus === 0 ? {} : { others: { 'nvidia.com/gpu': gpus } }),
    overhead: overheadOf(vCpus, memoryMiB),
    offerings: zones.flatMap((zone) => [
      { zone, capacityType: 'on-demand', pricePerHour },
      { zone, capacityType: 'spot', pricePerHour: pricePerHour * SPOT_SHARE },
    ]),
  });

/** Every size that eastus sells whose name matches, in three zones, on-demand and spot. */
export const eastusTypes = (name = /./): readonly InstanceType[] => {
  const { sizes } = JSON.parse(readFileSync(file, 'utf8')) as { readonly sizes: readonly Row[] };
  return sizes.filter((row) => name.test(row[0])).map(typeOf);
};
