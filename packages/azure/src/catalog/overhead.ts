import type { Resources } from '@karpenter/core';

const MIB = 1024 * 1024;

/** What AKS reserves of each further slice: [slice, share]. The last slice has no end. */
type Tiers = readonly (readonly [upTo: number, share: number])[];

const CPU_TIERS: Tiers = [
  [1, 0.06],
  [2, 0.04],
  [4, 0.02],
  [Infinity, 0.01],
];
const MEMORY_TIERS: Tiers = [
  [4, 0.25],
  [8, 0.2],
  [16, 0.1],
  [128, 0.06],
  [Infinity, 0.02],
];

const reserved = (amount: number, tiers: Tiers): number => {
  let from = 0;
  let total = 0;
  for (const [upTo, share] of tiers) {
    total += Math.max(0, Math.min(amount, upTo) - from) * share;
    from = upTo;
  }
  return total;
};

// Shares such as 0.06 + 0.04 do not add up in binary; what is whole in decimals stays whole.
const truncated = (value: number): number => Math.floor(value + 1e-6);

/** What the kubelet keeps for itself and the container runtime, as `--kube-reserved` says it. */
export interface KubeReserved {
  readonly cpuMillis: number;
  readonly memoryMiB: number;
}

/** Source: AKS resource reservations; 2 vCPUs and 8 GiB give 100m and 1843Mi. */
export const kubeReservedOf = (vCpus: number, memoryGiB: number): KubeReserved => ({
  cpuMillis: truncated(reserved(vCpus, CPU_TIERS) * 1000),
  memoryMiB: truncated(reserved(memoryGiB, MEMORY_TIERS) * 1024),
});

/** `memory.available` below which the kubelet evicts. */
export const EVICTION_MEMORY_MIB = 750;

/** Kube-reserved and the eviction threshold together; nothing is reserved for the system. */
export const overheadOf = (vCpus: number, memoryGiB: number): Resources => {
  const { cpuMillis, memoryMiB } = kubeReservedOf(vCpus, memoryGiB);
  return { cpu: cpuMillis, memory: (memoryMiB + EVICTION_MEMORY_MIB) * MIB };
};
