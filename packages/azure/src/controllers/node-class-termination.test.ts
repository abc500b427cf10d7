import { expect, test } from '@jest/globals';
import { requeueAfter, settled } from '@karpenter/core/controllers';
import { type AKSNodeClass, NODE_CLASS_FINALIZER } from '../apis/index.ts';
import type { AzureKube } from '../provider/azure-kube.ts';
import { nodeClassTermination } from './node-class-termination.ts';

const deleted: AKSNodeClass = {
  apiVersion: 'karpenter.azure.com/v1beta1',
  kind: 'AKSNodeClass',
  metadata: { name: 'default', deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['other', NODE_CLASS_FINALIZER] },
};

const run = async (nodeClass: AKSNodeClass, usedBy: readonly string[]) => {
  const finalizers: unknown[] = [];
  const kube = {
    list: () => Promise.resolve({ items: usedBy.map((name) => ({ spec: { nodeClassRef: { name } } })) }),
    patch: (_kind: string, _key: object, { body }: { body: { metadata: { finalizers: unknown } } }) => {
      finalizers.push(body.metadata.finalizers);
      return Promise.resolve(undefined);
    },
  } as unknown as Pick<AzureKube, 'list' | 'patch'>;
  const outcome = await nodeClassTermination({ kube }).reconcile(nodeClass, { signal: new AbortController().signal });
  return { outcome, finalizers };
};

test('a class in use is kept and looked at again', async () => {
  expect(await run(deleted, ['default'])).toEqual({ outcome: requeueAfter(600_000), finalizers: [] });
});

test('a class that no claim uses goes, and only our finalizer is taken off', async () => {
  expect(await run(deleted, ['another'])).toEqual({ outcome: settled, finalizers: [['other']] });
});

test('a class that is not being deleted is left alone', async () => {
  const { deletionTimestamp: _when, ...metadata } = deleted.metadata;
  expect(await run({ ...deleted, metadata }, [])).toEqual({ outcome: settled, finalizers: [] });
});
