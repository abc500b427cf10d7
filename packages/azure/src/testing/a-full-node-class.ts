const zone = (name: string, forwardDestination = 'VnetDNS') => ({
  ...{ zone: name, queryLogging: 'Error', protocol: 'PreferUDP', forwardDestination, forwardPolicy: 'Sequential' },
  ...{ maxConcurrent: 1000, cacheDuration: '1h', serveStaleDuration: '1h', serveStale: 'Immediate' },
});

const spec = {
  ...{ imageFamily: 'Ubuntu2204', osDiskSizeGB: 128, fipsMode: 'Disabled', maxPods: 110, tags: { team: 'a' } },
  vnetSubnetID:
    '/subscriptions/12345678-1234-1234-1234-123456789012/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/vnet/subnets/nodes',
  kubelet: {
    ...{ cpuManagerPolicy: 'static', cpuCFSQuota: true, cpuCFSQuotaPeriod: '100ms', topologyManagerPolicy: 'none', podPidsLimit: 100 },
    ...{ imageGCHighThresholdPercent: 85, imageGCLowThresholdPercent: 80, containerLogMaxSize: '50Mi', containerLogMaxFiles: 5 },
    allowedUnsafeSysctls: ['kernel.msg*'],
    failSwapOn: false,
  },
  security: { encryptionAtHost: true },
  localDNS: {
    mode: 'Preferred',
    vnetDNSOverrides: [zone('.'), zone('cluster.local', 'ClusterCoreDNS')],
    kubeDNSOverrides: [zone('.'), zone('cluster.local', 'ClusterCoreDNS')],
  },
  linuxOSConfig: {
    sysctls: { vmMaxMapCount: 65_530, netIpv4IpLocalPortRange: '32768 60999' },
    ...{ transparentHugePageEnabled: 'madvise', transparentHugePageDefrag: 'madvise', swapFileSize: '1Gi' },
  },
};

/** An AKSNodeClass with most of what one can say, to be changed by tests that mutate it. */
export const aFullNodeClass = { apiVersion: 'karpenter.azure.com/v1beta1', kind: 'AKSNodeClass', metadata: { name: 'x' }, spec };
