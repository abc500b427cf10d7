import { afterAll, describe, expect, test } from '@jest/globals';
import { decodeBootstrap } from '@karpenter/azure-emulator';
import type { LocalDNSZone } from '../apis/aks-node-class.ts';
import { BootstrapShell } from '../testing/bootstrap-shell.ts';
import { aBootstrapSource } from '../testing/bootstrap-source.ts';
import type { BootstrapSource } from './bootstrap-variables.ts';
import { bootstrapVariables } from './bootstrap-variables.ts';
import { kubeletFlagsOf } from './kubelet-flags.ts';
import { customDataOf } from './custom-data.ts';
import { nodeSettingVariables } from './node-settings.ts';
import { bootstrapProblems, nodeValueProblems } from './node-value-problems.ts';

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

/** What a node would take for more than text: flags and variables of their own, other labels, another line. */
const injections = [
  ...attacks,
  'kernel.msg* --manifest-url=http://192.0.2.1/pod.yaml',
  'a\nKUBELET_FLAGS=--manifest-url=http://192.0.2.1/p',
  'a\tb',
  'a\u00a0b',
  'a,node.kubernetes.io/exclude-from-external-load-balancers=true',
  'a\0b',
  '$PATH',
] as const;
const sound = { 'example.com/label': 'web', empty: '' };

describe('values that would be more than text on a node are refused, with field and value', () => {
  // Each sysctl is a name that a kubelet may be given.
  test.each(injections.filter((value) => value !== '*'))('%j', (value) => {
    const spec = {
      kubelet: { allowedUnsafeSysctls: ['kernel.msg*', value], containerLogMaxSize: value },
      linuxOSConfig: { sysctls: { netIPv4IPLocalPortRange: value }, swapFileSize: value },
      httpProxyConfig: { noProxy: [value], httpProxy: value },
    };
    const claim = {
      taints: [{ key: 'a', value, effect: 'NoSchedule' }],
      startupTaints: [{ key: value, effect: value as 'NoExecute' }],
    } as const;
    const problems = nodeValueProblems({ nodeClass: { spec }, claim, labels: { ...sound, team: value, [value]: 'x' } });
    expect(problems.map(({ field }) => field)).toEqual([
      'spec.kubelet.allowedUnsafeSysctls[1]',
      'spec.kubelet.containerLogMaxSize',
      'spec.linuxOSConfig.sysctls.netIPv4IPLocalPortRange',
      'spec.linuxOSConfig.swapFileSize',
      'spec.httpProxyConfig.noProxy[0]',
      'spec.httpProxyConfig.httpProxy',
      'taint a',
      'taint key',
      `effect of taint ${value}`,
      'label team',
      'label key',
    ]);
    expect(problems.every((problem) => problem.value === value && problem.problem !== '')).toBe(true);
  });

  test.each(injections.filter((value) => !['{a,b}', '~root', '*', '!!'].includes(value) && !value.startsWith('a,')))(
    'in each variable: %j',
    (value) => {
      const fields = new Set(bootstrapProblems(sourceWith(value)).map(({ field }) => field));
      expect([...fields]).toEqual(
        expect.arrayContaining(['KUBELET_FLAGS', 'SUBNET', 'VIRTUAL_NETWORK', 'NETWORK_SECURITY_GROUP', 'HTTP_PROXY_URLS', 'label key']),
      );
    },
  );

  test('what is left of a node are its own flags, variables and labels', () => {
    const source = aBootstrapSource({ labels: sound });
    expect([bootstrapProblems(source), nodeValueProblems({ nodeClass: {}, claim: {}, labels: sound })]).toEqual([[], []]);
    expect(Object.keys(decodeBootstrap(customDataOf(source)).labels)).toEqual(Object.keys(sound).sort());
  });
});
