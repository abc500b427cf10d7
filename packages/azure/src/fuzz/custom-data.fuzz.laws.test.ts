import { afterAll, describe, expect, jest, test } from '@jest/globals';
import { decodeBootstrap } from '@karpenter/azure-emulator';
import { fuzzCases, ODD_TEXTS, withinCaseTime } from '@karpenter/testkit';
import type { Taint } from '@karpenter/core';
import fc from 'fast-check';
import type { AKSNodeClass, LocalDNSZone } from '../apis/aks-node-class.ts';
import { bootstrapVariables } from '../bootstrap/bootstrap-variables.ts';
import {
  bootstrapProblems,
  type BootstrapSource,
  customDataOf,
  kubeletFlagsOf,
  nodeSettingVariables,
  nodeTaintsOf,
  nodeValueProblems,
} from '../bootstrap/index.ts';
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
        const runs = withinCaseTime(() => shell.run(drawn), CASES_A_SHELL);
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

type Place = Partial<Pick<AKSNodeClass, 'spec'> & Pick<BootstrapSource, 'labels' | 'subnet'> & { readonly taints: readonly Taint[] }>;

/** Where one text of an author stands among sound ones. */
const places: Readonly<Record<string, (text: string) => Place>> = {
  sysctl: (text: string) => ({ spec: { kubelet: { allowedUnsafeSysctls: ['net.core.*', text] } } }),
  'log size': (text: string) => ({ spec: { kubelet: { containerLogMaxSize: text } } }),
  policy: (text: string) => ({ spec: { kubelet: { cpuManagerPolicy: text as never } } }),
  'huge pages': (text: string) => ({ spec: { linuxOSConfig: { transparentHugePageEnabled: text as never } } }),
  proxy: (text: string) => ({ spec: { httpProxyConfig: { httpProxy: text } } }),
  direct: (text: string) => ({ spec: { httpProxyConfig: { httpProxy: 'http://proxy', noProxy: [text] } } }),
  authority: (text: string) => ({ spec: { security: { customCATrustCertificates: [text] } } }),
  zone: (text: string) => ({ spec: { localDNS: { mode: 'Required' as const, vnetDNSOverrides: [{ ...aZone, zone: text }] } } }),
  label: (text: string) => ({ labels: { team: text } }),
  'label key': (text: string) => ({ labels: { [text]: 'a' } }),
  taint: (text: string) => ({ taints: [{ key: 'a', value: text, effect: 'NoSchedule' }] }),
  'taint key': (text: string) => ({ taints: [{ key: text, effect: 'NoExecute' }] }),
  effect: (text: string) => ({ taints: [{ key: 'a', effect: text as 'NoExecute' }] }),
  subnet: (text: string) => ({ subnet: { resourceGroup: 'rg', vnet: 'vnet', name: text } }),
};
const aZone: LocalDNSZone = {
  ...{ zone: '.', queryLogging: 'Log', protocol: 'PreferUDP', forwardDestination: 'VnetDNS', forwardPolicy: 'Random', maxConcurrent: 1 },
  ...{ cacheDuration: '1h', serveStaleDuration: '1h', serveStale: 'Verify' },
};
const at = { kubernetesVersion: '1.33.4', architecture: 'amd64', clusterDns: '10.0.0.10', apiServerName: 'main.example' } as const;

/** What a node starts from, and what is wrong with it. */
const launchedWith = ({ spec: drawn = {}, taints = [], ...more }: Place) => {
  const nodeClass = { spec: drawn, status: { localDNSState: 'Enabled' as const } };
  const kubeletFlags = kubeletFlagsOf({
    ...{ ...at, maxPods: 30, kubeReserved: { cpuMillis: 100, memoryMiB: 1843 } },
    ...{
      taints: nodeTaintsOf({ taints }),
      kubelet: { allowedUnsafeSysctls: ['net.core.*'], containerLogMaxSize: '50Mi', cpuManagerPolicy: 'none', ...drawn.kubelet },
    },
  });
  const source = aBootstrapSource({ ...at, kubeletFlags, settings: nodeSettingVariables({ ...at, nodeClass }), ...more });
  const problems = [...nodeValueProblems({ nodeClass, claim: { taints }, labels: source.labels }), ...bootstrapProblems(source)];
  return { source, problems };
};

/** The names in a file of `NAME=value` lines as the scripts of the image write it: of a value with line ends, more than one. */
const namesInFile = (variables: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(variables)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n')
    .split(/[\r\n]/)
    .map((line) => line.split('=', 1)[0] ?? '');

const flagNames = Object.keys(decodeBootstrap(customDataOf(launchedWith({}).source)).kubeletFlags);
const soundTexts = fc.constantFrom(
  'a',
  'web',
  'kernel.msg*',
  'net.ipv4.tcp-x',
  '100Mi',
  'static',
  'never',
  'http://proxy:3128',
  '.example.com',
  'NoSchedule',
  'a.b/c',
);
const separators = fc.constantFrom(
  ' ',
  '\n',
  '\t',
  '\r',
  ',',
  ' --manifest-url=http://192.0.2.1/p',
  '\nKUBELET_FLAGS=--x=y',
  ',b=c',
  '=',
  ':',
  '$HOME',
);

describe('one text of an author among the values of a node', () => {
  test('is refused with its field, or adds no flag, variable or label to those of the node', () => {
    const seen = { refused: 0, taken: 0 };
    const text = fc.oneof(
      soundTexts,
      texts,
      fc.tuple(soundTexts, separators, soundTexts).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(fc.constantFrom(...Object.values(places)), text, (placeOf, drawn) => {
        const { source, problems } = launchedWith(placeOf(drawn));
        seen[problems.length > 0 ? 'refused' : 'taken'] += 1;
        for (const { field, problem } of problems) expect([field, problem]).not.toContain('');
        if (problems.length > 0) return;
        const bootstrap = decodeBootstrap(customDataOf(source));
        expect(Object.keys(bootstrap.kubeletFlags).sort()).toEqual([...flagNames].sort());
        expect(Object.keys(bootstrap.labels).sort()).toEqual(Object.keys(source.labels).sort());
        const variables = bootstrapVariables(source);
        expect(namesInFile(variables)).toEqual(Object.keys(variables));
      }),
      fuzzCases(5),
    );
    expect(Math.min(seen.refused, seen.taken)).toBeGreaterThan(0);
  });
});
