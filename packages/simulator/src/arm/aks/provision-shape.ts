import { flag, list, mapOf, oneOf, record, required, type Shape, text, whole } from '../body/shape.ts';

const number = whole(-1, 2 ** 31 - 1);

/** Settings of a kubelet as all services of AKS take them. */
export const kubeletConfigShape: Shape = record('CustomKubeletConfig', {
  cpuManagerPolicy: oneOf('none', 'static'),
  cpuCfsQuota: flag,
  cpuCfsQuotaPeriod: text(/^\d+(ns|us|ms|s|m|h)$/),
  imageGcHighThreshold: whole(0, 100),
  imageGcLowThreshold: whole(0, 100),
  topologyManagerPolicy: oneOf('none', 'best-effort', 'restricted', 'single-numa-node'),
  allowedUnsafeSysctls: list(text()),
  failSwapOn: flag,
  containerLogMaxSizeMB: number,
  containerLogMaxFiles: whole(2, 2 ** 31 - 1),
  podMaxPids: number,
});

const SYSCTLS = [
  ...['netCoreSomaxconn', 'netCoreNetdevMaxBacklog', 'netCoreRmemDefault', 'netCoreRmemMax', 'netCoreWmemDefault', 'netCoreWmemMax'],
  ...['netCoreOptmemMax', 'netIpv4TcpMaxSynBacklog', 'netIpv4TcpMaxTwBuckets', 'netIpv4TcpFinTimeout', 'netIpv4TcpKeepaliveTime'],
  ...['netIpv4TcpKeepaliveProbes', 'netIpv4TcpkeepaliveIntvl', 'netIpv4NeighDefaultGcThresh1', 'netIpv4NeighDefaultGcThresh2'],
  ...['netIpv4NeighDefaultGcThresh3', 'netNetfilterNfConntrackMax', 'netNetfilterNfConntrackBuckets', 'fsInotifyMaxUserWatches'],
  ...['fsFileMax', 'fsAioMaxNr', 'fsNrOpen', 'kernelThreadsMax', 'vmMaxMapCount', 'vmSwappiness', 'vmVfsCachePressure'],
];

/** Settings of the operating system as all services of AKS take them. */
export const linuxConfigShape: Shape = record('CustomLinuxOSConfig', {
  sysctls: record('SysctlConfig', {
    ...Object.fromEntries(SYSCTLS.map((name) => [name, number])),
    netIpv4TcpTwReuse: flag,
    netIpv4IpLocalPortRange: text(/^\d+ \d+$/),
  }),
  transparentHugePageEnabled: oneOf('always', 'madvise', 'never'),
  transparentHugePageDefrag: oneOf('always', 'defer', 'defer+madvise', 'madvise', 'never'),
  swapFileSizeMB: number,
});

const localDnsZones = mapOf(
  record('LocalDNSOverride', {
    queryLogging: oneOf('Error', 'Log'),
    protocol: oneOf('PreferUDP', 'ForceTCP'),
    forwardDestination: oneOf('ClusterCoreDNS', 'VnetDNS'),
    forwardPolicy: oneOf('Sequential', 'RoundRobin', 'Random'),
    maxConcurrent: number,
    cacheDurationInSeconds: number,
    serveStaleDurationInSeconds: number,
    serveStale: oneOf('Verify', 'Immediate', 'Disable'),
  }),
);

export const localDnsShape: Shape = record('LocalDNSProfile', {
  mode: oneOf('Preferred', 'Required', 'Disabled'),
  vnetDNSOverrides: localDnsZones,
  kubeDNSOverrides: localDnsZones,
});

const DISTRO = /^aks-(ubuntu(-arm64|-fips)?-containerd-(20|22|24)\.04(-tl)?(-gen2)?|azurelinux-v[23](-arm64)?(-gen2)?(-fips)?(-tl)?)$/;

/** What the node bootstrapping service takes. Source: the original's `pkg/provisionclients/swagger`. */
export const provisionShape = record('ProvisionValues', {
  provisionProfile: required(
    record('ProvisionProfile', {
      name: required(text()),
      vmSize: required(text()),
      osType: required(whole(2, 2)),
      osSku: required(whole(1, 12)),
      storageProfile: required(oneOf('ManagedDisks', 'Ephemeral')),
      distro: required(text(DISTRO)),
      orchestratorVersion: required(text(/^\d+\.\d+\.\d+$/)),
      vnetCidrs: required(list(text())),
      vnetSubnetID: required(text(/^\/subscriptions\/.+\/subnets\/[^/]+$/i)),
      mode: required(whole(1, 2)),
      architecture: required(oneOf('x64', 'Arm64')),
      maxPods: required(whole(10, 250)),
      customNodeLabels: mapOf(text()),
      nodeInitializationTaints: list(text()),
      nodeTaints: list(text()),
      securityProfile: record('AgentPoolSecurityProfile', { sshAccess: whole(0, 1), enableVTPM: flag, enableSecureBoot: flag }),
      enableFIPS: flag,
      artifactStreamingProfile: record('ArtifactStreamingProfile', { enabled: flag }),
      gpuProfile: record('GPUProfile', { driverType: whole(2, 3), installGPUDriver: flag }),
      customKubeletConfig: kubeletConfigShape,
      customLinuxOSConfig: linuxConfigShape,
      localDNSProfile: localDnsShape,
    }),
  ),
  provisionHelperValues: required(
    record('ProvisionHelperValues', { skuCPU: required(whole(1, 1000)), skuMemory: required(whole(1, 100_000)) }),
  ),
});
