import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, jest, test } from '@jest/globals';
import type { KubeletConfiguration } from '../apis/index.ts';
import { verdictOfKubelet } from '../testing/real-kubelet.ts';
import { minorOf } from '../images/index.ts';
import { labelText } from './bootstrap-variables.ts';
import { kubeletConfigFileOf } from './kubelet-config-file.ts';
import { kubeletFlagsOf } from './kubelet-flags.ts';
import { mayKubeletSet } from './node-labels.ts';
import { nodeTaintsOf } from './node-taints.ts';

/** A folder with a kubelet for each version, such as `1.36.3/kubelet`: CONTRIBUTING.md says how to build them. */
const folder = process.env['KARPENTER_KUBELETS'];

jest.setTimeout(300_000);

if (folder === undefined) process.stderr.write('KARPENTER_KUBELETS names no folder: no kubelet judges the flags that nodes start with\n');

const versions = folder === undefined ? [] : readdirSync(folder).filter((name) => /^\d+\.\d+\.\d+$/.test(name));
const taints = [
  { key: 'dedicated', value: 'web', effect: 'NoSchedule' },
  { key: 'example.com/without-value', effect: 'PreferNoSchedule' },
] as const;

const flagsFor = (kubernetesVersion: string, kubelet: KubeletConfiguration): readonly string[] =>
  kubeletFlagsOf({
    ...{ kubernetesVersion, kubelet, maxPods: 250, clusterDns: '10.0.0.10' },
    kubeReserved: { cpuMillis: 100, memoryMiB: 1843 },
    taints: nodeTaintsOf({ taints }),
  });

/** Each field of a class at its bounds, alone, as the CRD takes it. */
const SETTINGS: readonly KubeletConfiguration[] = [
  {},
  { imageGCHighThresholdPercent: 70 },
  { imageGCHighThresholdPercent: 1 },
  { imageGCHighThresholdPercent: 0 },
  { imageGCHighThresholdPercent: 100 },
  { imageGCLowThresholdPercent: 0 },
  { imageGCLowThresholdPercent: 99 },
  { imageGCLowThresholdPercent: 100 },
  { imageGCHighThresholdPercent: 1, imageGCLowThresholdPercent: 0 },
  { cpuManagerPolicy: 'static', topologyManagerPolicy: 'single-numa-node' },
  { topologyManagerPolicy: 'best-effort' },
  { topologyManagerPolicy: 'restricted', cpuCFSQuota: false },
  { containerLogMaxSize: '1Ki', containerLogMaxFiles: 2 },
  { containerLogMaxSize: '7E', containerLogMaxFiles: 2_147_483_647 },
  { podPidsLimit: -1 },
  { failSwapOn: false },
  { failSwapOn: true, cpuCFSQuotaPeriod: '100ms' },
  { cpuCFSQuotaPeriod: '1ms' },
  { cpuCFSQuotaPeriod: '1s', failSwapOn: false },
  { podPidsLimit: 1024, allowedUnsafeSysctls: ['net.core.somaxconn', 'kernel.msg*', 'net.*'] },
];

/** Variables of a bootstrap, as its shell sets them. */
const variablesOf = (script: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...script.matchAll(/^export (\w+)='((?:[^']|'\\'')*)'$/gm)].map(([, name = '', value = '']) => [name, value.replaceAll(`'\\''`, "'")]),
  );

const goldenFolder = new URL('./__golden__/', import.meta.url);

/** Each script, with the kubelet of its own minor version: a newer one may no longer know its flags. */
const scripts = readdirSync(goldenFolder).map((name) => {
  const variables = variablesOf(readFileSync(new URL(name, goldenFolder), 'utf8'));
  const version = versions.find((each) => minorOf(each) === minorOf(variables['KUBERNETES_VERSION'] ?? ''));
  return { name, variables, version };
});

/** Jest takes no empty table; without a folder the suite is skipped. */
const asked = versions.length > 0 ? versions : ['none'];
const cases = asked.flatMap((version) => SETTINGS.map((kubelet) => ({ version, kubelet, text: JSON.stringify(kubelet) })));
/** Skipped where no kubelets are: CI does not build them, which takes fifteen minutes. */
const describeWithKubelets = folder === undefined ? describe.skip : describe;

describeWithKubelets('the kubelet of a node', () => {
  test('is there in the minor version of each script, the oldest and the newest among them', () =>
    expect(scripts.filter(({ version }) => version === undefined)).toEqual([]));

  test.each(cases)('$version starts with $text', async ({ version, kubelet }) => {
    const program = join(folder ?? '', version, 'kubelet');
    expect(await verdictOfKubelet(program, flagsFor(version, kubelet), kubeletConfigFileOf(kubelet, version))).toBe('accepted');
  });

  test.each(scripts)('of $name starts', async ({ variables, version = '' }) => {
    const { KUBELET_FLAGS = '', KUBELET_NODE_LABELS, KUBELET_CONFIG_FILE_CONTENT = '' } = variables;
    const program = join(folder ?? '', version, 'kubelet');
    const config = Buffer.from(KUBELET_CONFIG_FILE_CONTENT, 'base64').toString('utf8');
    const flags = [...KUBELET_FLAGS.split(' '), `--node-labels=${KUBELET_NODE_LABELS}`];
    expect(await verdictOfKubelet(program, flags, config === '' ? undefined : config)).toBe('accepted');
  });

  test.each(asked)('%s refuses the flags of 1.25', async (version) => {
    expect(await verdictOfKubelet(join(folder ?? '', version, 'kubelet'), flagsFor('1.25.0', {}))).toMatch(/unknown flag/);
  });

  const LABELS = [
    'example.com/team',
    'plain',
    'kubernetes.io/arch',
    'topology.kubernetes.io/zone',
    'node.kubernetes.io/x',
    'a.kubelet.kubernetes.io/x',
  ];
  const REFUSED = [
    'node-restriction.kubernetes.io/x',
    'node-role.kubernetes.io/worker',
    'kops.k8s.io/x',
    'app.kubernetes.io/name',
    'k8s.io/x',
  ];

  test.each(asked)('%s takes exactly the labels that a bootstrap gives it', async (version) => {
    const program = join(folder ?? '', version, 'kubelet');
    const verdictOf = (...keys: readonly string[]): Promise<string> =>
      verdictOfKubelet(program, [
        ...flagsFor(version, {}),
        `--node-labels=${labelText(Object.fromEntries(keys.map((key) => [key, 'a'])))}`,
      ]);
    expect(await verdictOf(...LABELS)).toBe('accepted');
    for (const key of REFUSED) expect([key, await verdictOf(key)]).toEqual([key, expect.stringContaining('unknown')]);
    expect([...LABELS, ...REFUSED].filter(mayKubeletSet)).toEqual(LABELS);
  });
});
