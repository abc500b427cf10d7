import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { fakeClock } from '@karpenter/runtime';
import { ApiError, type ApiServer, startApiServer } from '@karpenter/api-server';
import { fuzzCases, mutationsOf, withinCaseTime } from '@karpenter/testkit';
import fc from 'fast-check';
import { type AKSNodeClass, aksNodeClassCrd, nodeClassHashOf } from '../apis/index.ts';
import { aksKubeletConfigOf, aksLinuxConfigOf, aksLocalDnsOf, customDataOf, kubeletFlagsOf } from '../bootstrap/index.ts';
import { aBootstrapSource } from '../testing/bootstrap-source.ts';

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

let server: ApiServer;
beforeAll(async () => {
  server = await startApiServer({ clock: fakeClock(Date.UTC(2026, 0, 1)), housekeeping: false });
  server.installCrds(JSON.stringify(aksNodeClassCrd));
});
afterAll(() => server.close());

/** The class as the API server has it; undefined where it is refused, which must name why. */
const stored = (mutated: unknown): AKSNodeClass | undefined => {
  const metadata = { name: 'x' };
  const object = {
    apiVersion: 'karpenter.azure.com/v1beta1',
    kind: 'AKSNodeClass',
    metadata,
    spec: JSON.parse(JSON.stringify(mutated)) as unknown,
  };
  try {
    const created = server.local.create(object);
    server.local.delete(created, metadata);
    return created as unknown as AKSNodeClass;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    expect(error.message).toMatch(/\S/);
    return undefined;
  }
};

const kubeletSettings = {
  kubernetesVersion: '1.33.4',
  maxPods: 30,
  kubeReserved: { cpuMillis: 100, memoryMiB: 1843 },
  clusterDns: '10.0.0.10',
  taints: [],
};

test('an AKSNodeClass that the API server accepts becomes custom data and settings of AKS', () => {
  let accepted = 0;
  expect(stored(spec)).toBeDefined();
  fc.assert(
    fc.property(mutationsOf(spec), (mutated) => {
      const nodeClass = stored(mutated);
      if (nodeClass === undefined) return;
      accepted += 1;
      const { kubelet = {}, linuxOSConfig = {} } = nodeClass.spec ?? {};
      withinCaseTime(() => {
        expect(nodeClassHashOf(nodeClass)).not.toBe('');
        const flags = kubeletFlagsOf({ ...kubeletSettings, kubelet });
        expect(customDataOf(aBootstrapSource({ kubeletFlags: flags }))).not.toBe('');
        const settings = JSON.stringify([aksKubeletConfigOf(kubelet), aksLinuxConfigOf(linuxOSConfig), aksLocalDnsOf(nodeClass)]);
        expect(`${settings} ${flags.join(' ')}`).not.toMatch(/NaN|undefined|Infinity|\[object/);
      });
    }),
    fuzzCases(3),
  );
  expect(accepted).toBeGreaterThan(0);
});
