import { describe, expect, test } from '@jest/globals';
import { aksKubeletConfigOf } from './aks-kubelet-config.ts';
import { aksLinuxConfigOf } from './aks-linux-config.ts';
import { aksLocalDnsOf } from './aks-local-dns.ts';

describe('the settings of a class, as the services of AKS take them', () => {
  test('sizes are whole MiB, and numbers of processes fit into 32 bits', () => {
    expect(aksKubeletConfigOf({ containerLogMaxSize: '50Mi', podPidsLimit: 2 ** 40 })).toEqual({
      containerLogMaxSizeMB: 50,
      podMaxPids: 2 ** 31 - 1,
    });
    expect(aksKubeletConfigOf({ containerLogMaxSize: '10M', podPidsLimit: -7 })).toEqual({ containerLogMaxSizeMB: 10, podMaxPids: -1 });
  });

  test('what the class leaves out is left out, and so are a period of nothing and no sysctls', () => {
    expect(aksKubeletConfigOf({})).toEqual({});
    expect(aksKubeletConfigOf({ cpuCFSQuotaPeriod: '0s', allowedUnsafeSysctls: [] })).toEqual({});
    expect(aksKubeletConfigOf({ cpuCFSQuotaPeriod: '50ms', failSwapOn: false })).toEqual({ cpuCfsQuotaPeriod: '50ms', failSwapOn: false });
  });

  test('sysctls have the spelling of the services', () => {
    const sysctls = {
      vmSwappiness: 10,
      netIPv4TCPTwReuse: true,
      netIPv4IPLocalPortRange: '1024 60999',
      netIPv4TCPKeepaliveIntvl: 30,
      netIPv4NeighDefaultGcThresh1: 128,
    };
    expect(aksLinuxConfigOf({ sysctls, swapFileSize: '2Gi', transparentHugePageEnabled: 'madvise' })).toEqual({
      sysctls: {
        vmSwappiness: 10,
        netIpv4TcpTwReuse: true,
        netIpv4IpLocalPortRange: '1024 60999',
        netIpv4TcpkeepaliveIntvl: 30,
        netIpv4NeighDefaultGcThresh1: 128,
      },
      swapFileSizeMB: 2048,
      transparentHugePageEnabled: 'madvise',
    });
  });

  test('a DNS cache that is preferred is settled by the state of the class', () => {
    const zone = {
      zone: '.',
      queryLogging: 'Error',
      protocol: 'PreferUDP',
      forwardDestination: 'VnetDNS',
      forwardPolicy: 'Sequential',
      maxConcurrent: 1000,
      cacheDuration: '1h',
      serveStaleDuration: '90s',
      serveStale: 'Immediate',
    } as const;
    const spec = { localDNS: { mode: 'Preferred', vnetDNSOverrides: [zone] } } as const;
    const { zone: _zone, cacheDuration: _cache, serveStaleDuration: _stale, ...rest } = zone;
    expect(aksLocalDnsOf({ spec, status: { localDNSState: 'Enabled' } })).toEqual({
      mode: 'Required',
      vnetDNSOverrides: { '.': { ...rest, cacheDurationInSeconds: 3600, serveStaleDurationInSeconds: 90 } },
    });
    expect(aksLocalDnsOf({ spec })).toMatchObject({ mode: 'Disabled' });
    expect(aksLocalDnsOf({ spec: {} })).toBeUndefined();
  });
});
