/** `spec.kubelet`. Reserved resources, evictions and cluster DNS are computed and cannot be set. */
export interface KubeletConfiguration {
  readonly cpuManagerPolicy?: 'none' | 'static';
  readonly cpuCFSQuota?: boolean;
  readonly cpuCFSQuotaPeriod?: string;
  readonly imageGCHighThresholdPercent?: number;
  readonly imageGCLowThresholdPercent?: number;
  readonly topologyManagerPolicy?: 'restricted' | 'best-effort' | 'none' | 'single-numa-node';
  readonly allowedUnsafeSysctls?: readonly string[];
  readonly containerLogMaxSize?: string;
  readonly containerLogMaxFiles?: number;
  readonly podPidsLimit?: number;
  readonly failSwapOn?: boolean;
}
