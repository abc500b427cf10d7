import { durationMs } from '@karpenter/core';
import type { KubeletConfiguration } from '../apis/index.ts';
import { minorOf } from '../images/index.ts';

/** Kubelet's own period. Before this minor any other needs a feature gate, which later versions may not know. */
const DEFAULT_PERIOD_MS = 100;
const FIRST_MINOR_WITHOUT_GATE = 36;

const gateFor = (kubernetesVersion: string): object =>
  (minorOf(kubernetesVersion) ?? Infinity) < FIRST_MINOR_WITHOUT_GATE ? { featureGates: { CustomCPUCFSQuotaPeriod: true } } : {};

const periodOf = ({ cpuCFSQuotaPeriod: period }: KubeletConfiguration): string | undefined => {
  const periodMs = period === undefined ? undefined : durationMs(period);
  return periodMs === undefined || periodMs === 0 || periodMs === DEFAULT_PERIOD_MS ? undefined : period;
};

/**
 * `/etc/default/kubeletconfig.json` of a node: the settings of a class that the original's flags leave out. Flags win over it.
 * Undefined for a class without such settings: its kubelet starts with flags alone.
 */
export const kubeletConfigFileOf = (kubelet: KubeletConfiguration, kubernetesVersion: string): string | undefined => {
  const cpuCFSQuotaPeriod = periodOf(kubelet);
  const { failSwapOn } = kubelet;
  if (failSwapOn === undefined && cpuCFSQuotaPeriod === undefined) return undefined;
  return JSON.stringify({
    ...{ apiVersion: 'kubelet.config.k8s.io/v1beta1', kind: 'KubeletConfiguration' },
    ...(failSwapOn !== undefined && { failSwapOn }),
    ...(cpuCFSQuotaPeriod !== undefined && { cpuCFSQuotaPeriod, ...gateFor(kubernetesVersion) }),
  });
};
