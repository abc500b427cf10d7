import { type Narrower, only } from '../body/narrowed.ts';
import { oneOfTexts, text, whole } from '../body/shape.ts';

/** What every service of AKS checks in the settings of a kubelet. */
export const kubeletLimits: Narrower = {
  cpuManagerPolicy: only(oneOfTexts('none', 'static')),
  cpuCfsQuotaPeriod: only(text(/^\d+(ns|us|ms|s|m|h)$/)),
  imageGcHighThreshold: only(whole(0, 100)),
  imageGcLowThreshold: only(whole(0, 100)),
  topologyManagerPolicy: only(oneOfTexts('none', 'best-effort', 'restricted', 'single-numa-node')),
  containerLogMaxFiles: only(whole(2, 2 ** 31 - 1)),
};

/** The same for the settings of the operating system. */
export const linuxLimits: Narrower = {
  'sysctls.netIpv4IpLocalPortRange': only(text(/^\d+ \d+$/)),
  transparentHugePageEnabled: only(oneOfTexts('always', 'madvise', 'never')),
  transparentHugePageDefrag: only(oneOfTexts('always', 'defer', 'defer+madvise', 'madvise', 'never')),
};
