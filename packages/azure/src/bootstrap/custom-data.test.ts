import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { decodeBootstrap } from '@karpenter/azure-emulator';
import { aBootstrapSource } from '../testing/bootstrap-source.ts';
import type { BootstrapSource } from './bootstrap-variables.ts';
import { bootstrapScriptOf, customDataOf } from './custom-data.ts';
import { gpuDriverOf } from './gpu-driver.ts';
import { kubeletFlagsOf } from './kubelet-flags.ts';
import { nodeLabelsOf } from './node-labels.ts';
import { nodeSettingVariables } from './node-settings.ts';
import { nodeTaintsOf } from './node-taints.ts';

const goldenText = (name: string): string => readFileSync(new URL(`./__golden__/${name}`, import.meta.url), 'utf8');

const settingsOf136 = nodeSettingVariables({
  nodeClass: { spec: { kubelet: { failSwapOn: false, cpuCFSQuotaPeriod: '50ms' } } },
  ...{ kubernetesVersion: '1.36.3', architecture: 'amd64', clusterDns: '10.0.0.10', apiServerName: 'main.hcp.eastus.azmk8s.io' },
});

describe('the bootstrap of a node', () => {
  test.each<[string, Partial<BootstrapSource>]>([
    ['ubuntu-amd64-1.33.sh', {}],
    ['settings-amd64-1.36.sh', { kubernetesVersion: '1.36.3', settings: settingsOf136 }],
    ['gpu-arm64-1.35.sh', { kubernetesVersion: '1.35.1', architecture: 'arm64', gpuDriver: gpuDriverOf('Standard_NC24ads_A100_v4') }],
  ])('is %s, byte for byte', (name, more) => {
    expect(bootstrapScriptOf(aBootstrapSource(more))).toBe(goldenText(name));
  });

  test('says what a node image reads from it', () => {
    expect(decodeBootstrap(customDataOf(aBootstrapSource()))).toMatchObject({
      labels: { 'karpenter.sh/nodepool': 'general', 'kubernetes.azure.com/mode': 'user' },
      maxPods: 250,
      kubeReserved: { cpu: '100m', memory: '1843Mi' },
      evictionHard: { 'memory.available': '750Mi' },
      clusterDns: '10.0.0.10',
      apiServerName: 'main.hcp.eastus.azmk8s.io',
      kubernetesVersion: '1.33.4',
      bootstrapToken: 'abcdef.0123456789abcdef',
    });
  });

  test('sets each variable once, and every one is exported to what it starts', () => {
    const script = bootstrapScriptOf(aBootstrapSource());
    const names = [...script.matchAll(/^(?:export )?([A-Z][A-Z0-9_]*)=/gm)].map(([, name]) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toHaveLength([...script.matchAll(/^export /gm)].length);
    expect(names).toEqual(expect.arrayContaining(['KUBELET_CONFIG_FILE_ENABLED', 'ENABLE_KUBELET_SERVING_CERTIFICATE_ROTATION']));
  });

  test('keeps a quote in a value from ending it', () => {
    const source = aBootstrapSource({ labels: { quoted: "it's" } });
    expect(bootstrapScriptOf(source)).toContain(`export KUBELET_NODE_LABELS='quoted=it'\\''s'\n`);
  });
});

describe('the flags of a kubelet', () => {
  const flagsFor = (kubernetesVersion: string): readonly string[] =>
    kubeletFlagsOf({
      kubernetesVersion,
      maxPods: 30,
      kubeReserved: { cpuMillis: 100, memoryMiB: 1843 },
      clusterDns: '10.0.0.10',
      taints: [],
      kubelet: {},
    }).map((flag) => flag.split('=')[0] ?? '');

  test.each([
    ['1.30.9', '--keep-terminated-pod-volumes', true],
    ['1.31.0', '--keep-terminated-pod-volumes', false],
    ['1.33.4', '--cloud-config', true],
    ['1.34.0', '--cloud-config', false],
    ['1.34.0', '--pod-infra-container-image', true],
    ['1.35.0', '--pod-infra-container-image', false],
    ['1.29.0', '--image-credential-provider-config', false],
    ['1.30.0', '--image-credential-provider-config', true],
  ])('on %s: %s is %s', (version, flag, isThere) => {
    expect(flagsFor(version).includes(flag)).toBe(isThere);
  });
});

describe('the taints of a node', () => {
  test('end with the one that core takes off once it knows the node, unless the claim names it already', () => {
    const startup = { key: 'warming', effect: 'NoSchedule' } as const;
    const unregistered = { key: 'karpenter.sh/unregistered', effect: 'NoExecute' } as const;
    expect(nodeTaintsOf({ startupTaints: [startup] })).toEqual([startup, unregistered]);
    expect(nodeTaintsOf({ startupTaints: [unregistered, startup] })).toEqual([unregistered, startup]);
  });
});

test('a name of a subnet that no label may have is left out of the labels of a node, which joins all the same', () => {
  const { options } = aBootstrapSource();
  const nodeClass = { apiVersion: 'karpenter.azure.com/v1beta1', kind: 'AKSNodeClass', metadata: { name: 'a' } } as const;
  const labelsIn = (subnetName: string) =>
    nodeLabelsOf({ options, nodeClass, kubernetesVersion: '1.33.4', subnetName, vnetGuid: undefined }, { empty: '', team: 'a' });
  const key = 'kubernetes.azure.com/network-subnet';
  expect(
    [labelsIn('nodes'), labelsIn('nodes_'), labelsIn('n'.repeat(64))].map((labels) => [labels[key], labels['team'], labels['empty']]),
  ).toEqual([
    ['nodes', 'a', ''],
    [undefined, 'a', ''],
    [undefined, 'a', ''],
  ]);
});
