import { describe, expect, test } from '@jest/globals';
import { decodeBootstrap } from '@karpenter/azure-emulator';
import type { AKSNodeClassSpec } from '../apis/index.ts';
import type { LocalDNSZone } from '../apis/aks-node-class.ts';
import { aBootstrapSource } from '../testing/bootstrap-source.ts';
import { customDataOf } from './custom-data.ts';
import { type NodeSettingsSource, nodeSettingVariables, podDnsOf } from './node-settings.ts';
import { base64 } from './bootstrap-variables.ts';

const aSettingsSource = (spec: AKSNodeClassSpec, more: Partial<NodeSettingsSource> = {}): NodeSettingsSource => ({
  nodeClass: { spec, status: { localDNSState: 'Enabled' } },
  ...{ kubernetesVersion: '1.34.2', architecture: 'amd64', clusterDns: '10.0.0.10', apiServerName: 'main.hcp.eastus.azmk8s.io' },
  ...more,
});

/** What a node with an AKS image makes of the settings of a class. */
const appliedOf = (source: NodeSettingsSource) =>
  decodeBootstrap(customDataOf(aBootstrapSource({ settings: nodeSettingVariables(source) }))).settings;

const aZone = (zone: string, more: Partial<LocalDNSZone> = {}): LocalDNSZone => ({
  ...{ zone, queryLogging: 'Error', protocol: 'PreferUDP', forwardDestination: 'ClusterCoreDNS', forwardPolicy: 'Sequential' },
  ...{ maxConcurrent: 1000, cacheDuration: '1h', serveStaleDuration: '90s', serveStale: 'Immediate' },
  ...more,
});

const localDNS = {
  mode: 'Required',
  vnetDNSOverrides: [aZone('.', { forwardDestination: 'VnetDNS', protocol: 'ForceTCP', forwardPolicy: 'RoundRobin' })],
  kubeDNSOverrides: [aZone('cluster.local'), aZone('.', { serveStale: 'Disable', queryLogging: 'Log' })],
} as const;

describe('when a class sets nothing of the operating system', () => {
  test.each<[string, AKSNodeClassSpec]>([
    ['an empty class', {}],
    ['settings that kubelet takes as flags', { kubelet: { cpuManagerPolicy: 'static', cpuCFSQuotaPeriod: '100ms' } }],
    ['an empty linuxOSConfig', { linuxOSConfig: {} }],
  ])('%s sets no variable', (_title, spec) => {
    expect(nodeSettingVariables(aSettingsSource(spec))).toEqual({});
    expect(podDnsOf(aSettingsSource(spec))).toBe('10.0.0.10');
  });
});

describe('when a class sets the operating system', () => {
  test('sysctls stand over those of AKS, by the names of the kernel', () => {
    const sysctls = { netCoreSomaxconn: 65535, vmSwappiness: 10, netIPv4TCPTwReuse: true, netIPv4TCPKeepaliveIntvl: 30 };
    expect(appliedOf(aSettingsSource({ linuxOSConfig: { sysctls } })).sysctls).toEqual({
      'net.ipv4.tcp_retries2': '8',
      'net.core.message_burst': '80',
      'net.core.message_cost': '40',
      'net.core.somaxconn': '65535',
      'net.ipv4.tcp_max_syn_backlog': '16384',
      'net.ipv4.neigh.default.gc_thresh1': '4096',
      'net.ipv4.neigh.default.gc_thresh2': '8192',
      'net.ipv4.neigh.default.gc_thresh3': '16384',
      'net.ipv4.tcp_keepalive_intvl': '30',
      'net.ipv4.tcp_tw_reuse': '1',
      'vm.swappiness': '10',
    });
  });

  test.each([
    ['1024 65330', undefined],
    ['1024 65535', '65330'],
  ])('local ports %s keep %s back', (netIPv4IPLocalPortRange, reserved) => {
    const { sysctls } = appliedOf(aSettingsSource({ linuxOSConfig: { sysctls: { netIPv4IPLocalPortRange } } }));
    expect(sysctls['net.ipv4.ip_local_port_range']).toBe(netIPv4IPLocalPortRange);
    expect(sysctls['net.ipv4.ip_local_reserved_ports']).toBe(reserved);
  });

  test('huge pages and swap are set, and the kubelet starts with swap', () => {
    const spec: AKSNodeClassSpec = {
      kubelet: { failSwapOn: false, cpuCFSQuotaPeriod: '50ms' },
      linuxOSConfig: { swapFileSize: '2Gi', transparentHugePageDefrag: 'defer+madvise' },
    };
    expect(appliedOf(aSettingsSource(spec))).toMatchObject({
      swapFileSizeMB: 2048,
      transparentHugePages: { defrag: 'defer+madvise' },
      kubeletConfig: { failSwapOn: false, cpuCFSQuotaPeriod: '50ms', featureGates: { CustomCPUCFSQuotaPeriod: true } },
    });
  });

  test.each([
    ['1.35.4', true],
    ['1.36.0', false],
  ])('a CFS period needs its feature gate on %s: %s', (kubernetesVersion, isGated) => {
    const { kubeletConfig } = appliedOf(aSettingsSource({ kubelet: { cpuCFSQuotaPeriod: '50ms' } }, { kubernetesVersion }));
    expect('featureGates' in kubeletConfig).toBe(isGated);
  });

  test('artifact streaming is switched on, on amd64 only', () => {
    const spec = { artifactStreaming: { enabled: true } };
    expect(nodeSettingVariables(aSettingsSource(spec))).toEqual({ ARTIFACT_STREAMING_ENABLED: 'true' });
    expect(nodeSettingVariables(aSettingsSource(spec, { architecture: 'arm64' }))).toEqual({});
  });
});

describe('when a class asks for a DNS cache', () => {
  test('the node gets its configuration, and pods ask it', () => {
    const source = aSettingsSource({ localDNS });
    const corefile = appliedOf(source).corefile ?? '';
    expect(podDnsOf(source)).toBe('169.254.10.11');
    expect(corefile.match(/^\S+:53 \{$/gm)).toEqual(['health-check.localdns.local:53 {', '.:53 {', '.:53 {', 'cluster.local:53 {']);
    expect(corefile).toContain(`.:53 {
    errors
    bind 169.254.10.10
    forward . 168.63.129.16 {
        force_tcp
        policy round_robin
        max_concurrent 1000
    }
    ready 169.254.10.10:8181
    cache 3600 {
        success 9984
        denial 9984
        serve_stale 90s immediate
        servfail 0
    }
    loop
    nsid localdns
    prometheus :9253
    template ANY ANY internal.cloudapp.net {`);
    expect(corefile).toContain('    log\n    bind 169.254.10.11\n    forward . 10.0.0.10 {');
  });

  test.each<[string, NodeSettingsSource]>([
    ['it is not enabled in the end', { ...aSettingsSource({}), nodeClass: { spec: { localDNS }, status: { localDNSState: 'Disabled' } } }],
    ['images with FIPS have none', aSettingsSource({ localDNS, fipsMode: 'FIPS', imageFamily: 'AzureLinux' })],
    ['images of Azure Linux 2 have none', aSettingsSource({ localDNS, imageFamily: 'AzureLinux' }, { kubernetesVersion: '1.31.9' })],
  ])('%s: pods ask the cluster', (_title, source) => {
    expect(nodeSettingVariables(source)).toEqual({});
    expect(podDnsOf(source)).toBe('10.0.0.10');
  });
});
const PEM = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';

describe('when a class sends its nodes through a proxy', () => {
  const noProxy = ['.example.com', '10.0.0.0/8', 'localhost'];

  test('the services of the node take it, but for what it reaches directly', () => {
    const spec = {
      httpProxyConfig: { httpProxy: 'http://proxy:3128', httpsProxy: 'https://secure:3129', noProxy, trustedCa: base64(PEM) },
    };
    const direct = [
      '.example.com',
      '10.0.0.0/8',
      '127.0.0.1',
      '168.63.129.16',
      '169.254.169.254',
      'localhost',
      'main.hcp.eastus.azmk8s.io',
    ];
    expect(appliedOf(aSettingsSource(spec))).toMatchObject({
      proxy: { http: 'http://proxy:3128', https: 'https://secure:3129', direct },
      trusted: [PEM],
    });
    expect(nodeSettingVariables(aSettingsSource(spec))['PROXY_VARS']).toBe(
      `export HTTPS_PROXY='https://secure:3129'; export NO_PROXY='${direct.join(',')}'; export http_proxy='http://proxy:3128';`,
    );
  });

  test('that of HTTP counts for both, and that of HTTPS for itself', () => {
    const [one, other] = [{ httpProxy: 'http://proxy:3128' }, { httpsProxy: 'http://proxy:3128' }];
    expect(appliedOf(aSettingsSource({ httpProxyConfig: one })).proxy).toMatchObject({
      http: 'http://proxy:3128',
      https: 'http://proxy:3128',
    });
    expect(appliedOf(aSettingsSource({ httpProxyConfig: other })).proxy).toMatchObject({ http: '', https: 'http://proxy:3128' });
  });
});

test('when a class has both address families, its nodes request an IPv6 address', () => {
  expect(nodeSettingVariables(aSettingsSource({ ipFamilies: ['IPv4', 'IPv6'] }))).toEqual({ IPV6_DUAL_STACK_ENABLED: 'true' });
  expect(nodeSettingVariables(aSettingsSource({ ipFamilies: ['IPv4'] }))).toEqual({});
});

test('when a class names authorities, its nodes trust them in order', () => {
  const certificates = [PEM, PEM.replace('MIIB', 'MIIC')];
  const spec = { security: { customCATrustCertificates: certificates.map(base64) } };
  expect(appliedOf(aSettingsSource(spec)).trusted).toEqual(certificates);
});
