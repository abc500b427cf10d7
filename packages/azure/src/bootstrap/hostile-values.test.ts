import { afterAll, describe, expect, test } from '@jest/globals';
import type { LocalDNSZone } from '../apis/aks-node-class.ts';
import { BootstrapShell } from '../testing/bootstrap-shell.ts';
import { aBootstrapSource } from '../testing/bootstrap-source.ts';
import type { BootstrapSource } from './bootstrap-variables.ts';
import { bootstrapVariables } from './bootstrap-variables.ts';
import { kubeletFlagsOf } from './kubelet-flags.ts';
import { nodeSettingVariables } from './node-settings.ts';

const shell = new BootstrapShell();
afterAll(() => shell[Symbol.dispose]());
const { trace } = shell;

/** Each would leave the file behind if any part of it were executed. */
const attacks = [
  `$(/bin/touch ${trace})`,
  `\`/bin/touch ${trace}\``,
  `'; /bin/touch ${trace}; '`,
  `'$(/bin/touch ${trace})'`,
  `"; /bin/touch ${trace}; "`,
  `\\'; /bin/touch ${trace} #`,
  `x\n/bin/touch ${trace}\n`,
  `x\r\n/bin/touch ${trace}`,
  `&& /bin/touch ${trace}`,
  `| /bin/touch ${trace}`,
  `<(/bin/touch ${trace})`,
  `\${x:=$(/bin/touch ${trace})}`,
  `EOF\n/bin/touch ${trace}\nEOF`,
  `$'\\x27; /bin/touch ${trace}'`,
  '!!',
  '{a,b}',
  '~root',
  '*',
  '${IFS}',
  '\\',
  "'",
  '\u2028',
] as const;

const zoneOf = (value: string): LocalDNSZone => ({
  ...{ zone: value, queryLogging: 'Log', protocol: 'ForceTCP', forwardDestination: 'VnetDNS', forwardPolicy: 'Random', maxConcurrent: 1 },
  ...{ cacheDuration: value, serveStaleDuration: value, serveStale: value as never },
});

const settingsWith = (value: string): BootstrapSource['settings'] =>
  nodeSettingVariables({
    nodeClass: {
      spec: {
        kubelet: { failSwapOn: false, cpuCFSQuotaPeriod: value },
        linuxOSConfig: {
          ...{ transparentHugePageEnabled: value as never, transparentHugePageDefrag: value as never, swapFileSize: value },
          sysctls: { netIPv4IPLocalPortRange: value },
        },
        httpProxyConfig: { httpProxy: value, httpsProxy: value, noProxy: [value], trustedCa: value },
        security: { customCATrustCertificates: [value] },
        localDNS: { mode: 'Required', vnetDNSOverrides: [zoneOf(value)], kubeDNSOverrides: [zoneOf(value)] },
      },
      status: { localDNSState: 'Enabled' },
    },
    ...{ kubernetesVersion: '1.33.4', architecture: 'amd64', clusterDns: value, apiServerName: value },
  });

/** The values of hostile authors in every place where a NodePool, a class or an option has a say. */
const sourceWith = (value: string): BootstrapSource =>
  aBootstrapSource({
    labels: { 'example.com/label': value, [value]: 'x' },
    kubernetesVersion: '1.33.4',
    networkSecurityGroup: value,
    routeTable: value,
    subnet: { resourceGroup: value, vnet: value, name: value },
    settings: settingsWith(value),
    kubeletFlags: kubeletFlagsOf({
      kubernetesVersion: '1.33.4',
      maxPods: 30,
      kubeReserved: { cpuMillis: 100, memoryMiB: 1843 },
      clusterDns: value,
      taints: [{ key: value, value, effect: 'NoSchedule' }],
      kubelet: {
        cpuManagerPolicy: value as never,
        topologyManagerPolicy: value as never,
        allowedUnsafeSysctls: [value],
        containerLogMaxSize: value,
      },
    }),
  });

describe('when a NodePool or a class holds what a shell would execute, it is passed on unchanged', () => {
  test.each(attacks)('%j', (value) => {
    const source = sourceWith(value);
    expect(shell.run([source])).toEqual([{ refusal: '', variables: bootstrapVariables(source) }]);
    expect(shell.isTraced).toBe(false);
  });
});
