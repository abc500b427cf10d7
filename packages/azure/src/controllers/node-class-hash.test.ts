import { describe, expect, test } from '@jest/globals';
import type { NodeClaim } from '@karpenter/core';
import { type AKSNodeClass, azureAnnotations, nodeClassHashOf, NODE_CLASS_HASH_VERSION } from '../apis/index.ts';
import type { AzureKube } from '../provider/azure-kube.ts';
import { nodeClassHashing } from './node-class-hash.ts';

const { nodeClassHash, nodeClassHashVersion } = azureAnnotations;

const aClass = (annotations?: Record<string, string>): AKSNodeClass => ({
  apiVersion: 'karpenter.azure.com/v1beta1',
  kind: 'AKSNodeClass',
  metadata: { name: 'default', ...(annotations && { annotations }) },
  spec: { osDiskSizeGB: 64 },
});
const hash = nodeClassHashOf(aClass());

const aClaim = (name: string, isDrifted: boolean): NodeClaim => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodeClaim',
  metadata: { name, annotations: { [nodeClassHash]: 'old', [nodeClassHashVersion]: 'v3' } },
  spec: { requirements: [], nodeClassRef: { group: 'karpenter.azure.com', kind: 'AKSNodeClass', name: 'default' } },
  status: { conditions: isDrifted ? [{ type: 'Drifted', status: 'True' }] : [] },
});

/** Object name → annotations that were written. */
const written = async (nodeClass: AKSNodeClass, claims: readonly NodeClaim[] = []): Promise<Readonly<Record<string, unknown>>> => {
  const writes: Record<string, unknown> = {};
  const kube = {
    list: () => Promise.resolve({ items: claims, resourceVersion: '1' }),
    patch: (_kind: string, { name }: { name: string }, { body }: { body: { metadata: { annotations: unknown } } }) => {
      writes[name] = body.metadata.annotations;
      return Promise.resolve(undefined);
    },
  } as unknown as Pick<AzureKube, 'list' | 'patch'>;
  await nodeClassHashing({ kube }).reconcile(nodeClass, { signal: new AbortController().signal });
  return writes;
};

describe('the hash controller', () => {
  const current = { [nodeClassHash]: hash, [nodeClassHashVersion]: NODE_CLASS_HASH_VERSION };

  test('stamps a new class, and then leaves it alone', async () => {
    expect(await written(aClass())).toEqual({ default: current });
    expect(await written(aClass(current))).toEqual({});
  });

  test('brings claims of another way of hashing along; one that has drifted stays so', async () => {
    const writes = await written(aClass({ [nodeClassHash]: 'old', [nodeClassHashVersion]: 'v3' }), [aClaim('a', false), aClaim('b', true)]);
    expect(writes).toEqual({ a: current, b: { [nodeClassHashVersion]: NODE_CLASS_HASH_VERSION }, default: current });
  });
});
