import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, jest, test } from '@jest/globals';
import { fuzzCases } from '@karpenter/testkit';
import fc from 'fast-check';
import type { LocalDNSZone } from '../apis/aks-node-class.ts';
import { aBootstrapSource } from '../testing/bootstrap-source.ts';
import type { BootstrapSource } from './bootstrap-variables.ts';
import { bootstrapVariables } from './bootstrap-variables.ts';
import { bootstrapScriptOf } from './custom-data.ts';
import { kubeletFlagsOf } from './kubelet-flags.ts';
import { nodeSettingVariables } from './node-settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'bootstrap-'));
afterAll(() => rmSync(folder, { recursive: true }));
const trace = join(folder, 'executed');

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

/**
 * The script with what touches the machine taken out: commands are functions that do nothing, and the last line prints
 * the variables instead of starting the node. Nothing is found by its name, because the path is empty.
 */
const tamed = (script: string, names: readonly string[]): string => {
  const lines = script
    .replace("echo '#EOF' >> /opt/azure/manifest.json\n", '')
    .replace('echo "$(date),$(hostname)" > /var/log/azure/cluster-provision-cse-output.log\n', '')
    .replace(/\n\/usr\/bin\/nohup [^\n]*\n$/, '\n');
  const stubs = ['mkdir', 'seq', 'grep', 'sleep', 'date', 'hostname'].map((name) => `${name}() { :; }`).join('\n');
  const print = names.map((name) => `printf '%s\\0' "$${name}"`).join('\n');
  // As the scripts of the image do before their first download.
  const evaluated = 'eval $PROXY_VARS';
  return `command_not_found_handle() { : > '${trace}'; }\n${stubs}\n${lines}${evaluated}\n${print}\n`;
};

const bash = (script: string, ...flags: readonly string[]) =>
  spawnSync('/bin/bash', ['--noprofile', '--norc', ...flags], {
    input: script,
    env: { PATH: '', HOME: folder },
    cwd: folder,
    encoding: 'utf8',
  });

/** Runs the script. Returns what each variable holds afterwards. */
const executed = (source: BootstrapSource): Readonly<Record<string, string>> => {
  const names = Object.keys(bootstrapVariables(source)).sort();
  const script = bootstrapScriptOf(source);
  expect(bash(script, '-n')).toMatchObject({ status: 0, stderr: '' });
  const { status, stdout, stderr } = bash(tamed(script, names));
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const values = stdout.split('\0');
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
};

jest.setTimeout(3_600_000);

/** Each runs two shells: 60 of the 10,000 cases of a fuzz test by default, and more with `FUZZ_CASES`. */
const drawn = Math.ceil(fuzzCases(0.6).numRuns);

describe('when a NodePool or a class holds what a shell would execute, it is passed on unchanged', () => {
  test.each(attacks)('%j', (value) => {
    const source = sourceWith(value);
    expect(executed(source)).toEqual(bootstrapVariables(source));
    expect(existsSync(trace)).toBe(false);
  });

  test('whatever characters it is made of', () => {
    const texts = fc.string({ unit: fc.constantFrom(...Array.from(`'"\\$\`(){}[];&|<>*?!~# \n\ta=`)), maxLength: 30 });
    fc.assert(
      fc.property(texts, (value) => {
        const source = sourceWith(value);
        expect(executed(source)).toEqual(bootstrapVariables(source));
        expect(existsSync(trace)).toBe(false);
      }),
      { numRuns: drawn },
    );
  });
});
