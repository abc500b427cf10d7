import { describe, expect, test } from '@jest/globals';
import type { Node, NodeClaim } from '@karpenter/core';
import { nodeClassHashing } from '@karpenter/core/provider-kit';
import { type AKSNodeClass, aksLabels, azureAnnotations, nodeClassHash } from '../apis/index.ts';
import { aClaim } from '../testing/a-claim.ts';
import { aNodeClass } from '../testing/azure-world.ts';
import { FakeCluster, type NamedObject } from '../testing/fake-cluster.ts';
import { aksNodeClassKind } from './azure-kube.ts';
import { machineDriftOf } from './drift.ts';

const { signal } = new AbortController();
const IMAGE = '/CommunityGalleries/AKSUbuntu-38d80f77-467a-481f-a8d4-09b6d4220bd2/images/2204gen2containerd/versions/202612.01.0';

/** As the original stamps them. */
const stamped = (hash: string) => ({
  [azureAnnotations.nodeClassHash]: hash,
  [azureAnnotations.nodeClassHashVersion]: 'v3',
});

const node: Node = {
  metadata: { name: 'aks-general-a', labels: { [aksLabels.kubeletIdentityClientId]: 'me' } },
  status: { nodeInfo: { kubeletVersion: 'v1.33.4' } },
};

const claimOf = (name: string, parts: { readonly hash?: string; readonly isDrifted?: boolean; readonly ofClass?: string } = {}) => {
  const claim = aClaim(name);
  return {
    ...claim,
    metadata: { ...claim.metadata, annotations: stamped(parts.hash ?? '11843') },
    spec: { ...claim.spec, nodeClassRef: { ...claim.spec.nodeClassRef, name: parts.ofClass ?? 'default' } },
    status: { imageID: IMAGE, conditions: parts.isDrifted === true ? [{ type: 'Drifted', status: 'True' }] : [] },
  } as NodeClaim & NamedObject;
};

/** A cluster as the original leaves it, after ours has checked its class as often as it takes. */
const takenOver = (...claims: readonly (NodeClaim & NamedObject)[]) => {
  const cluster = new FakeCluster();
  const { metadata, ...nodeClass } = aNodeClass();
  cluster.put({
    ...nodeClass,
    metadata: { ...metadata, annotations: stamped('11843') },
    status: {
      kubernetesVersion: '1.33.4',
      images: [{ id: IMAGE, requirements: [] }],
      conditions: ['KubernetesVersionReady', 'ImagesReady'].map((type) => ({ type, status: 'True', observedGeneration: 1 })),
    },
  } as AKSNodeClass & NamedObject);
  for (const claim of claims) cluster.put(claim);
  const reconcile = async (): Promise<void> => {
    const current = cluster.nodeClass();
    if (current === undefined) throw new Error('the class is gone');
    await nodeClassHashing({ kind: aksNodeClassKind, hash: nodeClassHash, kube: cluster.kube() }).reconcile(current, { signal });
  };
  const driftOfClaim = (name: string): string | undefined => {
    const [claim, current] = [cluster.objects.get(`NodeClaim/${name}`) as NodeClaim | undefined, cluster.nodeClass()];
    if (claim === undefined || current === undefined) throw new Error('nothing to judge');
    return machineDriftOf({ claim, nodeClass: current, node, options: { kubeletIdentityClientId: 'me', vnetSubnetId: '' } });
  };
  const edit = (spec: AKSNodeClass['spec']): void => {
    cluster.put({ ...cluster.nodeClass(), spec } as AKSNodeClass & NamedObject);
  };
  return { cluster, reconcile, edit, driftOf: driftOfClaim };
};

describe('a cluster of the original', () => {
  test('is taken over without drift of a node, before its hashes are computed again and after', async () => {
    const { reconcile, driftOf: judge } = takenOver(claimOf('general-a'));
    expect(judge('general-a')).toBeUndefined();
    await reconcile();
    expect(judge('general-a')).toBeUndefined();
  });

  test('has its nodes follow the class from then on', async () => {
    const { reconcile, edit, driftOf: judge } = takenOver(claimOf('general-a'));
    await reconcile();
    edit({ ...aNodeClass().spec, tags: { team: 'other' } });
    await reconcile();
    expect(judge('general-a')).toBeUndefined();
    edit({ ...aNodeClass().spec, osDiskSizeGB: 256 });
    await reconcile();
    expect(judge('general-a')).toBe('NodeClassDrift');
  });

  test('has the node that had drifted replaced all the same', async () => {
    const { reconcile, driftOf: judge } = takenOver(claimOf('general-a', { hash: '9', isDrifted: true }), claimOf('general-b'));
    await reconcile();
    expect([judge('general-a'), judge('general-b')]).toEqual(['NodeClassDrift', undefined]);
  });

  test('has claims of other classes left as they are', async () => {
    const other = claimOf('general-a', { ofClass: 'other' });
    const { reconcile, cluster } = takenOver(other);
    await reconcile();
    expect(cluster.objects.get('NodeClaim/general-a')).toBe(other);
  });
});
