import { type Controller, settled } from '@karpenter/runtime';
import { type AKSNodeClass, azureAnnotations } from '../apis/index.ts';
import type { InstanceTypeCatalog } from '../catalog/index.ts';
import { isKnownOnceJoined } from '../pricing/index.ts';
import { aksNodeClassKind, type AzureKube } from '../provider/azure-kube.ts';

const sizesIn = ({ metadata }: AKSNodeClass): readonly string[] =>
  (metadata.annotations?.[azureAnnotations.triedSizes] ?? '').split(',').filter((size) => size !== '');

/** Writes on the class that a node of the size has joined, where that is all that lets the size compete by its price. */
export const rememberSize = async (
  kube: Pick<AzureKube, 'patch'>,
  { nodeClass, size }: { readonly nodeClass: AKSNodeClass; readonly size: string },
  signal: AbortSignal,
): Promise<void> => {
  const known = sizesIn(nodeClass);
  if (!isKnownOnceJoined(size) || known.includes(size)) return;
  const annotations = { [azureAnnotations.triedSizes]: [...known, size].sort().join(',') };
  const { name } = nodeClass.metadata;
  await kube.patch(aksNodeClassKind.kind, { name }, { type: 'merge', body: { metadata: { annotations } }, signal });
};

/** Learns sizes from classes, so that they are known after a restart although none of their nodes is left. */
export const triedSizes = ({ catalog }: { readonly catalog: Pick<InstanceTypeCatalog, 'learnSize'> }): Controller<AKSNodeClass> => ({
  name: 'instancetype.sizes',
  kind: aksNodeClassKind.kind,
  reconcile(nodeClass) {
    for (const size of sizesIn(nodeClass)) catalog.learnSize(size);
    return Promise.resolve(settled);
  },
});
