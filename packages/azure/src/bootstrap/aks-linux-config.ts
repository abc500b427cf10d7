import type { LinuxOSConfig } from '../apis/aks-node-class.ts';
import { wholeMiB } from './aks-kubelet-config.ts';

/** Settings of the operating system as the services of AKS take them. */
export interface AksLinuxConfig {
  readonly sysctls?: Readonly<Record<string, number | boolean | string>>;
  readonly transparentHugePageEnabled?: string;
  readonly transparentHugePageDefrag?: string;
  readonly swapFileSizeMB?: number;
}

/** Spelled by AKS as no other. */
const ODD: Readonly<Record<string, string>> = { netIPv4TCPKeepaliveIntvl: 'netIpv4TcpkeepaliveIntvl' };

/** The class writes `netIPv4TCPFinTimeout`, the services `netIpv4TcpFinTimeout`. */
const sysctlName = (name: string): string =>
  ODD[name] ?? name.replace(/^netIPv4(TCP|IP)?/, (_all, part = '') => `netIpv4${part === 'TCP' ? 'Tcp' : part === 'IP' ? 'Ip' : ''}`);

/** `spec.linuxOSConfig` as the services of AKS take it. */
export const aksLinuxConfigOf = (config: LinuxOSConfig): AksLinuxConfig => {
  const swapFileSizeMB = wholeMiB(config.swapFileSize);
  const { sysctls, transparentHugePageEnabled, transparentHugePageDefrag } = config;
  return {
    ...(sysctls && { sysctls: Object.fromEntries(Object.entries(sysctls).map(([name, value]) => [sysctlName(name), value])) }),
    ...(transparentHugePageEnabled && { transparentHugePageEnabled }),
    ...(transparentHugePageDefrag && { transparentHugePageDefrag }),
    ...(swapFileSizeMB !== undefined && { swapFileSizeMB }),
  };
};
