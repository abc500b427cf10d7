import { afterAll, describe, expect, jest, test } from '@jest/globals';
import { fuzzCases, ODD_TEXTS } from '@karpenter/testkit';
import fc from 'fast-check';
import { bootstrapVariables } from '../bootstrap/bootstrap-variables.ts';
import { type BootstrapSource, kubeletFlagsOf, nodeSettingVariables, nodeTaintsOf } from '../bootstrap/index.ts';
import { BootstrapShell } from '../testing/bootstrap-shell.ts';
import { aBootstrapSource } from '../testing/bootstrap-source.ts';

jest.setTimeout(3_600_000);
const shell = new BootstrapShell();
afterAll(() => shell[Symbol.dispose]());

/** What a shell would execute, or take for the end of something, if a value were not quoted. */
const commands = ['$(>"$T")', '`>"$T"`', '\'; >"$T"; \'', '"; >"$T"; "', '\n>"$T"\n', "$'\\x27'", 'EOF\n', '!!', '~root', '*', '{a,b}'].map(
  (command) => command.replaceAll('$T', shell.trace),
);
const characters = fc.constantFrom(...Array.from(`'"\\$\`(){}[];&|<>*?!~# \n\r\ta=,:0`));
const texts = fc.oneof(
  fc.constantFrom(...commands),
  fc.constantFrom(...ODD_TEXTS),
  fc.string({ unit: characters, maxLength: 30 }),
  fc.array(fc.constantFrom(...commands, ...ODD_TEXTS), { maxLength: 3 }).map((parts) => parts.join('')),
);
/** Of what the API server would refuse much: the script is not to depend on that. */
const anyOf = <T extends string>(...known: readonly T[]): fc.Arbitrary<T> => fc.oneof(fc.constantFrom(...known), texts as fc.Arbitrary<T>);
const lists = fc.array(texts, { maxLength: 3 });
const counts = fc.constantFrom(-1, 0, 1, 0.5, 100, 2 ** 31, 2 ** 53, 1e300);
const partly = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<Partial<T>> =>
  fc.record(model, { requiredKeys: [] }) as fc.Arbitrary<unknown> as fc.Arbitrary<Partial<T>>;

const taint = fc.record(
  { key: texts, value: texts, effect: anyOf('NoSchedule', 'PreferNoSchedule', 'NoExecute') },
  { requiredKeys: ['key', 'effect'] },
);
const zone = fc.record({
  ...{ zone: texts, queryLogging: anyOf('Error', 'Log'), protocol: anyOf('PreferUDP', 'ForceTCP'), maxConcurrent: counts },
  ...{ forwardDestination: anyOf('ClusterCoreDNS', 'VnetDNS'), forwardPolicy: anyOf('Sequential', 'RoundRobin', 'Random') },
  ...{ cacheDuration: texts, serveStaleDuration: texts, serveStale: anyOf('Verify', 'Immediate', 'Disable') },
});
const zones = fc.array(zone, { maxLength: 2 });
const kubelet = partly({
  ...{ cpuManagerPolicy: anyOf('none', 'static'), cpuCFSQuota: fc.boolean(), cpuCFSQuotaPeriod: texts, failSwapOn: fc.boolean() },
  ...{ imageGCHighThresholdPercent: counts, imageGCLowThresholdPercent: counts, containerLogMaxFiles: counts, podPidsLimit: counts },
  ...{ topologyManagerPolicy: anyOf('restricted', 'best-effort', 'none', 'single-numa-node'), containerLogMaxSize: texts },
  allowedUnsafeSysctls: lists,
});
const spec = partly({
  kubelet,
  linuxOSConfig: partly({
    ...{ swapFileSize: texts, transparentHugePageEnabled: anyOf('always', 'madvise', 'never') },
    transparentHugePageDefrag: anyOf('always', 'defer', 'defer+madvise', 'madvise', 'never'),
    sysctls: fc.dictionary(anyOf('netCoreSomaxconn', 'netIpv4IpLocalPortRange'), fc.oneof(texts, counts, fc.boolean()), { maxKeys: 3 }),
  }),
  httpProxyConfig: partly({ httpProxy: texts, httpsProxy: texts, noProxy: lists, trustedCa: texts }),
  security: fc.record({ customCATrustCertificates: lists }),
  localDNS: fc.record(
    { mode: anyOf('Preferred', 'Required', 'Disabled'), vnetDNSOverrides: zones, kubeDNSOverrides: zones },
    { requiredKeys: ['mode'] },
  ),
});
const place = fc.record({
  ...{ kubernetesVersion: fc.constantFrom('1.29.9', '1.30.0', '1.33.4', '1.34.1', '1.36.3'), clusterDns: texts, apiServerName: texts },
  architecture: fc.constantFrom('amd64', 'arm64'),
});

/** All that authors of pools, classes and options have a say in; tags of a class are not among what a node starts from. */
const sources: fc.Arbitrary<BootstrapSource> = fc
  .record({
    ...{ place, spec, taints: fc.array(taint, { maxLength: 3 }), startupTaints: fc.array(taint, { maxLength: 2 }) },
    labels: fc.dictionary(texts, texts, { maxKeys: 4 }),
    names: fc.record({ networkSecurityGroup: texts, routeTable: texts, caBundle: texts }),
    subnet: fc.record({ resourceGroup: texts, vnet: texts, name: texts }),
    options: fc.record({ nodeResourceGroup: texts, networkPlugin: anyOf('azure', 'none'), networkPolicy: texts, location: texts }),
  })
  .map(({ place: at, spec: drawn, taints, startupTaints, labels, names, subnet, options }) => {
    const nodeClass = { spec: drawn, status: { localDNSState: 'Enabled' as const } };
    const settings = nodeSettingVariables({ ...at, nodeClass });
    const flags = kubeletFlagsOf({
      ...{ ...at, maxPods: 30, kubeReserved: { cpuMillis: 100, memoryMiB: 1843 } },
      ...{ taints: nodeTaintsOf({ taints, startupTaints }), kubelet: drawn.kubelet ?? {} },
    });
    const source = aBootstrapSource({ ...at, ...names, labels, subnet, settings, kubeletFlags: flags });
    return { ...source, options: { ...source.options, ...options } };
  });

/** As a shell has a text: in UTF-8, and without the character that ends one. */
const inShell = (text: string): string => text.toWellFormed().replaceAll('\0', '');

const CASES_A_SHELL = 25;
/** Each shrink runs a shell. */
const MOST_SHRINKS = 40;
const drawnForAShell = fc.limitShrink(fc.array(sources, { minLength: CASES_A_SHELL, maxLength: CASES_A_SHELL, size: 'max' }), MOST_SHRINKS);

describe('the script in the custom data, for whatever labels, taints, settings and names', () => {
  test('is well formed, passes each value on unchanged, and executes nothing of it', () => {
    fc.assert(
      fc.property(drawnForAShell, (drawn) => {
        const runs = shell.run(drawn);
        for (const [index, source] of drawn.entries()) {
          const wanted = Object.entries(bootstrapVariables(source)).map(([name, value]) => [name, inShell(value)] as const);
          expect(runs[index]).toEqual({ refusal: '', variables: Object.fromEntries(wanted) });
        }
        expect(shell.isTraced).toBe(false);
      }),
      { numRuns: Math.ceil(fuzzCases(1).numRuns / CASES_A_SHELL) },
    );
  });
});
