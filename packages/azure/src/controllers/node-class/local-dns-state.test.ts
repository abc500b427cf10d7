import { describe, expect, test } from '@jest/globals';
import { KubeError } from '@karpenter/runtime';
import type { AKSNodeClass, AKSNodeClassSpec } from '../../apis/index.ts';
import { aNodeClass } from '../../testing/azure-world.ts';
import { FakeCluster, type NamedObject } from '../../testing/fake-cluster.ts';
import { localDnsState } from './local-dns-state.ts';

const { signal } = new AbortController();

interface Cluster {
  readonly spec?: AKSNodeClassSpec;
  readonly mode?: 'Preferred' | 'Required' | 'Disabled';
  readonly before?: 'Enabled' | 'Disabled';
  readonly version?: string;
  readonly networkPlugin?: 'azure' | 'none';
  readonly networkPolicy?: string;
  readonly objects?: readonly NamedObject[];
}

const inSystem = (kind: string, name: string): NamedObject => ({ apiVersion: 'v1', kind, metadata: { name, namespace: 'kube-system' } });

const stateIn = async ({ spec, mode = 'Preferred', before, version = '1.99.0', objects = [], ...more }: Cluster) => {
  const cluster = new FakeCluster();
  for (const object of objects) cluster.put(object);
  const options = { networkPlugin: more.networkPlugin ?? 'azure', networkPolicy: more.networkPolicy ?? 'cilium' };
  const status = before && { localDNSState: before };
  const nodeClass = { ...aNodeClass(), spec: { ...spec, localDNS: { mode } }, ...(status && { status }) } as AKSNodeClass;
  return (await localDnsState({ kube: cluster.kube(), options }, { nodeClass, kubernetesVersion: version }, signal)).state;
};

describe('a DNS cache on nodes', () => {
  test.each<[string, Cluster, string]>([
    ['is there where it is required, whatever else', { mode: 'Required', networkPlugin: 'none', version: '1.30.0' }, 'Enabled'],
    ['goes with its mode', { mode: 'Disabled', before: 'Enabled' }, 'Disabled'],
    ['is preferred on a cluster that is fit for it', {}, 'Enabled'],
    ['waits for its Kubernetes version', { version: '1.98.7' }, 'Disabled'],
    ['needs a network plugin of AKS', { networkPlugin: 'none' }, 'Disabled'],
    ['is not for Ubuntu 20.04', { spec: { imageFamily: 'Ubuntu', fipsMode: 'FIPS' } }, 'Disabled'],
    ['gives way to a DaemonSet of the same purpose', { objects: [inSystem('DaemonSet', 'node-local-dns')] }, 'Disabled'],
    ['gives way to policies', { objects: [inSystem('NetworkPolicy', 'deny')] }, 'Disabled'],
    ['gives way to policies of Cilium', { objects: [inSystem('CiliumNetworkPolicy', 'deny')] }, 'Disabled'],
    ['gives way to policies of Calico', { networkPolicy: 'calico', objects: [inSystem('CalicoGlobalNetworkPolicy', 'deny')] }, 'Disabled'],
    ['does not mind the policy of AKS', { objects: [inSystem('NetworkPolicy', 'konnectivity-agent')] }, 'Enabled'],
    ['does not mind policies that nobody enforces', { networkPolicy: '', objects: [inSystem('NetworkPolicy', 'deny')] }, 'Enabled'],
    ['stays where it once was', { before: 'Enabled', objects: [inSystem('NetworkPolicy', 'deny')] }, 'Enabled'],
  ])('%s', async (_, cluster, state) => {
    expect(await stateIn(cluster)).toBe(state);
  });

  test('is undecided while the cluster does not answer, and the condition says so', async () => {
    const failing = (code: 'not-found' | 'network') => () => Promise.reject(new KubeError('no answer', { code, cause: undefined }));
    const deps = (code: 'not-found' | 'network') => ({
      kube: { get: () => Promise.resolve(undefined), list: failing(code) },
      options: { networkPlugin: 'azure', networkPolicy: 'cilium' } as const,
    });
    const source = {
      nodeClass: { ...aNodeClass(), spec: { localDNS: { mode: 'Preferred' } } } as AKSNodeClass,
      kubernetesVersion: '1.99.0',
    };
    expect(await localDnsState(deps('not-found'), source, signal)).toMatchObject({ state: 'Enabled' });
    const { verdict } = await localDnsState(deps('network'), source, signal);
    expect(verdict).toMatchObject({
      status: 'False',
      reason: 'CheckingClusterRequirementsFailed',
      message: expect.stringContaining('no answer'),
    });
  });

  test('is undecided on a cluster of no known version, and only where it matters', async () => {
    const deps = { kube: new FakeCluster().kube(), options: { networkPlugin: 'azure', networkPolicy: 'cilium' } as const };
    const judged = async (mode: 'Preferred' | 'Required') => {
      const nodeClass = { ...aNodeClass(), spec: { localDNS: { mode } } } as AKSNodeClass;
      return (await localDnsState(deps, { nodeClass, kubernetesVersion: 'next' }, signal)).verdict;
    };
    expect(await judged('Preferred')).toMatchObject({
      status: 'False',
      reason: 'CheckingClusterRequirementsFailed',
      message: expect.stringContaining('its version is "next"'),
    });
    expect(await judged('Required')).toMatchObject({ status: 'True' });
  });
});
