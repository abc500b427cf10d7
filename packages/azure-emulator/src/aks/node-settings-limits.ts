import { type Narrower, only } from '../body/narrowed.ts';
import { oneOf, text, whole } from '../body/shape.ts';

/** What every service of AKS looks at in the settings of a kubelet. */
export const kubeletLimits: Narrower = {
  cpuManagerPolicy: only(oneOf('none', 'static')),
  cpuCfsQuotaPeriod: only(text(/^\d+(ns|us|ms|s|m|h)$/)),
  imageGcHighThreshold: only(whole(0, 100)),
  imageGcLowThreshold: only(whole(0, 100)),
  topologyManagerPolicy: only(oneOf('none', 'best-effort', 'restricted', 'single-numa-node')),
  containerLogMaxFiles: only(whole(2, 2 ** 31 - 1)),
};

/** The same for the settings of the operating system. */
export const linuxLimits: Narrower = {
  'sysctls.netIpv4IpLocalPortRange': only(text(/^\d+ \d+$/)),
  transparentHugePageEnabled: only(oneOf('always', 'madvise', 'never')),
  transparentHugePageDefrag: only(oneOf('always', 'defer', 'defer+madvise', 'madvise', 'never')),
};
