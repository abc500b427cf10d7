import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { fakeClock } from '@karpenter/runtime';
import { type ApiServer, startApiServer } from '@karpenter/simulator';
import type { AKSNodeClass, AKSNodeClassSpec } from '../aks-node-class.ts';
import { aksNodeClassCrd } from './aks-node-class-crd.ts';

let api: ApiServer;
beforeAll(async () => {
  api = await startApiServer({ clock: fakeClock() });
  api.installCrds(JSON.stringify(aksNodeClassCrd));
});
afterAll(() => api.close());

let made = 0;
const create = (spec: object, version: 'v1beta1' | 'v1alpha2' = 'v1beta1'): AKSNodeClass => {
  made += 1;
  return api.local.create({
    apiVersion: `karpenter.azure.com/${version}` as const,
    kind: 'AKSNodeClass',
    metadata: { name: `class-${made}` },
    spec,
  });
};

const zone = (name: string, more: object = {}) => ({
  zone: name,
  queryLogging: 'Error',
  protocol: 'PreferUDP',
  forwardDestination: name === 'cluster.local' ? 'ClusterCoreDNS' : 'VnetDNS',
  forwardPolicy: 'Sequential',
  maxConcurrent: 1000,
  cacheDuration: '1h',
  serveStaleDuration: '1h',
  serveStale: 'Immediate',
  ...more,
});
const localDNS = (vnet: readonly object[], kube: readonly object[] = [zone('.'), zone('cluster.local')]) => ({
  localDNS: { mode: 'Required', vnetDNSOverrides: vnet, kubeDNSOverrides: kube },
});
const secure = { trustedLaunch: { secureBoot: true } };

describe('the API server', () => {
  test('fills in defaults where the parent object is there', () => {
    expect(create({}).spec).toEqual({ osDiskSizeGB: 128, imageFamily: 'Ubuntu' });
    expect(create({ kubelet: {}, gpu: {} }).spec).toMatchObject({
      kubelet: {
        cpuManagerPolicy: 'none',
        cpuCFSQuota: true,
        cpuCFSQuotaPeriod: '100ms',
        containerLogMaxSize: '50Mi',
        containerLogMaxFiles: 5,
      },
      gpu: { mode: 'Driver' },
    });
  });

  test('takes v1alpha2 as well', () => {
    expect(create({ imageFamily: 'Ubuntu2204' }, 'v1alpha2').spec).toMatchObject({ imageFamily: 'Ubuntu2204' });
  });

  test.each<[string, AKSNodeClassSpec | object]>([
    ['FIPS with Ubuntu2204 and trusted launch', { fipsMode: 'FIPS', imageFamily: 'Ubuntu2204', security: secure }],
    ['FIPS with AzureLinux', { fipsMode: 'FIPS', imageFamily: 'AzureLinux' }],
    ['a swap file with failSwapOn false', { linuxOSConfig: { swapFileSize: '1Gi' }, kubelet: { failSwapOn: false } }],
    ['a port range', { linuxOSConfig: { sysctls: { netIPv4IPLocalPortRange: '1024 65535' } } }],
    ['tags', { tags: { team: 'a', 'with space': '' } }],
    ['local DNS', localDNS([zone('.'), zone('cluster.local')])],
  ])('takes %s', (_name, spec) => {
    expect(create(spec).metadata.name).toMatch(/^class-/);
  });

  test.each<[string, object, RegExp]>([
    ['a small disk', { osDiskSizeGB: 29 }, /osDiskSizeGB/],
    ['an unknown family', { imageFamily: 'Flatcar' }, /imageFamily/],
    ['few pods', { maxPods: 9 }, /maxPods/],
    ['a subnet that is none', { vnetSubnetID: '/subscriptions/s' }, /vnetSubnetID/],
    ['a tag with a character Azure refuses', { tags: { 'a<b': 'x' } }, /tag keys/],
    ['a tag with a backslash', { tags: { 'a\\b': 'x' } }, /tag keys/],
    ['FIPS on Ubuntu2404', { fipsMode: 'FIPS', imageFamily: 'Ubuntu2404' }, /Ubuntu2404/],
    ['FIPS on Ubuntu2204 without trusted launch', { fipsMode: 'FIPS', imageFamily: 'Ubuntu2204' }, /trusted launch/],
    ['FIPS on AzureLinux with trusted launch', { fipsMode: 'FIPS', imageFamily: 'AzureLinux', security: secure }, /trusted launch/],
    ['a swap file alone', { linuxOSConfig: { swapFileSize: '1Gi' } }, /failSwapOn/],
    ['image thresholds the wrong way round', { kubelet: { imageGCHighThresholdPercent: 10, imageGCLowThresholdPercent: 20 } }, /greater/],
    ['a log size without unit', { kubelet: { containerLogMaxSize: '50' } }, /containerLogMaxSize/],
    ['ports the wrong way round', { linuxOSConfig: { sysctls: { netIPv4IPLocalPortRange: '60000 40000' } } }, /port/],
    [
      'a receive buffer above its maximum',
      { linuxOSConfig: { sysctls: { netCoreRmemDefault: 300000, netCoreRmemMax: 220000 } } },
      /netCoreRmem/,
    ],
    ['local DNS without the root zone', localDNS([zone('cluster.local')]), /zones/],
    [
      'the root zone forwarded to the cluster',
      localDNS([zone('.', { forwardDestination: 'ClusterCoreDNS' }), zone('cluster.local')]),
      /ClusterCoreDNS/,
    ],
    ['a cluster zone forwarded to the network', localDNS([zone('.'), zone('cluster.local', { forwardDestination: 'VnetDNS' })]), /VnetDNS/],
    [
      'verified stale answers over TCP',
      localDNS([zone('.', { serveStale: 'Verify', protocol: 'ForceTCP' }), zone('cluster.local')]),
      /ForceTCP/,
    ],
  ])('refuses %s', (_name, spec, why) => {
    expect(() => create(spec)).toThrow(why);
  });
});
