import { durationMs, parseQuantity, unitsOf } from '@karpenter/core';
import type { KubeletConfiguration } from '../apis/index.ts';
import { imageGcOf } from './image-gc.ts';

/** Settings of a kubelet as the services of AKS take them. */
export interface AksKubeletConfig {
  readonly cpuManagerPolicy?: string;
  readonly cpuCfsQuota?: boolean;
  readonly cpuCfsQuotaPeriod?: string;
  readonly imageGcHighThreshold?: number;
  readonly imageGcLowThreshold?: number;
  readonly topologyManagerPolicy?: string;
  readonly allowedUnsafeSysctls?: string[];
  readonly failSwapOn?: boolean;
  readonly containerLogMaxSizeMB?: number;
  readonly containerLogMaxFiles?: number;
  readonly podMaxPids?: number;
}

const MIB = 1024 * 1024;
const LARGEST_INT = 2 ** 31 - 1;

/** Whole MiB, which the services call MB; undefined for what is no quantity. */
export const wholeMiB = (size: string | undefined): number | undefined => {
  const quantity = size === undefined ? undefined : parseQuantity(size);
  return quantity === undefined ? undefined : Math.round(unitsOf(quantity) / MIB);
};

const pidsOf = (limit: number | undefined): number | undefined => {
  if (limit === undefined) return undefined;
  return limit < 0 ? -1 : Math.min(limit, LARGEST_INT);
};

/** A copy without the members that are undefined. */
const given = <T extends object>(members: { readonly [Key in keyof T]: T[Key] | undefined }): Partial<T> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Partial<T>;

/** `spec.kubelet` as the services of AKS take it. */
export const aksKubeletConfigOf = (kubelet: KubeletConfiguration): AksKubeletConfig => {
  const { allowedUnsafeSysctls: sysctls = [], cpuCFSQuotaPeriod: period } = kubelet;
  const imageGc = imageGcOf(kubelet);
  return given<Required<AksKubeletConfig>>({
    cpuManagerPolicy: kubelet.cpuManagerPolicy,
    cpuCfsQuota: kubelet.cpuCFSQuota,
    cpuCfsQuotaPeriod: period === undefined || (durationMs(period) ?? 0) === 0 ? undefined : period,
    imageGcHighThreshold: imageGc.high,
    imageGcLowThreshold: imageGc.low,
    topologyManagerPolicy: kubelet.topologyManagerPolicy,
    allowedUnsafeSysctls: sysctls.length === 0 ? undefined : [...sysctls],
    failSwapOn: kubelet.failSwapOn,
    containerLogMaxSizeMB: wholeMiB(kubelet.containerLogMaxSize),
    containerLogMaxFiles: kubelet.containerLogMaxFiles,
    podMaxPids: pidsOf(kubelet.podPidsLimit),
  });
};
