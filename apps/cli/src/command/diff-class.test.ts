import { describe, expect, test } from '@jest/globals';
import { type AKSNodeClass, storedNodeClass } from '@karpenter/azure/catalog';
import type { NodeClaim } from '@karpenter/core';
import type { KubeObject } from '@karpenter/runtime';
import type { ShownDiff } from '../render/diff-text.ts';
import { runCommand } from '../testing/run-command.ts';
import { sampleCluster } from '../testing/sample-cluster.ts';

type AnyObject = KubeObject & Readonly<Record<string, unknown>>;

const azureRef = { group: 'karpenter.azure.com', kind: 'AKSNodeClass', name: 'default' };
const foreignRef = { group: 'karpenter.example.com', kind: 'OtherNodeClass', name: 'default' };

const azureClass = (spec: AKSNodeClass['spec']): AKSNodeClass & KubeObject => ({
  ...{ apiVersion: 'karpenter.azure.com/v1beta1', kind: 'AKSNodeClass', metadata: { name: 'default' } },
  spec: { ...spec },
});

/** The sample cluster with its pools and claims on another class. */
const clusterOn = (ref: typeof azureRef, nodeClass: AnyObject): string => {
  const items = sampleCluster().map((object): KubeObject => {
    if (object.kind !== 'NodeClaim') return object;
    const claim = object as KubeObject & NodeClaim;
    return { ...claim, metadata: { ...claim.metadata, annotations: nodeClass.metadata.annotations ?? {} } };
  });
  const text = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [...items, nodeClass] });
  const inAzure = text
    .replaceAll(/"s-(\d+)x-amd64-linux"/g, '"Standard_D$1s_v5"')
    .replaceAll('test-region', 'eastus')
    .replaceAll('test-zone-a', 'eastus-1');
  return inAzure.replaceAll(JSON.stringify({ group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'default' }), JSON.stringify(ref));
};

const diff = async (cluster: string, changed: object) => {
  const files = { 'x.json': cluster, 'class.json': JSON.stringify(changed) };
  const { code, out, complaints } = await runCommand('diff -f class.json --from x.json --output json', { files });
  expect(complaints).toEqual([]);
  const { drifted, driftUnknownFor } = JSON.parse(out) as ShownDiff;
  return { code, drifted: drifted.map(({ node, reason }) => `${node}: ${reason}`), driftUnknownFor };
};

describe('karpenter diff of a class', () => {
  const azure = clusterOn(azureRef, storedNodeClass(azureClass({ osDiskSizeGB: 128 })) as AKSNodeClass & AnyObject);

  test('AKSNodeClass, another image family › every node of its pools drifts', async () => {
    const { drifted } = await diff(azure, azureClass({ imageFamily: 'AzureLinux' }));
    expect(drifted).toEqual(['batch-d4', 'general-a1', 'general-b2', 'general-c3'].map((node) => `${node}: NodeClassDrift`));
  });

  test('KWOKNodeClass, another image › every node drifts', async () => {
    const kwok = JSON.stringify({ kind: 'List', items: sampleCluster() });
    const changed = {
      apiVersion: 'karpenter.kwok.sh/v1alpha1',
      kind: 'KWOKNodeClass',
      metadata: { name: 'default' },
      spec: { image: 'v2' },
    };
    expect((await diff(kwok, changed)).drifted).toHaveLength(4);
  });

  test('a class of another provider › ends with 1 and says that nobody here knows', async () => {
    const nodeClass = { apiVersion: 'karpenter.example.com/v1', kind: 'OtherNodeClass', metadata: { name: 'default' }, spec: {} };
    const cluster = clusterOn(foreignRef, nodeClass);
    expect(await diff(cluster, nodeClass)).toEqual({ code: 1, drifted: [], driftUnknownFor: ['OtherNodeClass default'] });
    const files = { 'x.json': cluster, 'class.json': JSON.stringify(nodeClass) };
    const { out } = await runCommand('diff -f class.json --from x.json', { files });
    expect(out).toContain('Not known: the nodes that drift by the changed OtherNodeClass default.');
    expect(out).not.toContain('No node drifts');
  });
});
