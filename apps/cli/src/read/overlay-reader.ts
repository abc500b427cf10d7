import type { NodePool } from '@karpenter/core';
import { hashAnnotations } from '@karpenter/core/internal';
import type { KubeObject, ObjectPage } from '@karpenter/runtime';
import { type ClusterReader, neverChanging, withAppliedStatus } from './file-reader.ts';

const keyOf = ({ kind, metadata }: KubeObject): string => `${kind}/${metadata.namespace ?? ''}/${metadata.name}`;

/** What the API server and the controllers keep of an object when its manifest is applied. */
export const appliedObject = (manifest: KubeObject, before: KubeObject | undefined): KubeObject => {
  const { status } = (before ?? manifest) as { readonly status?: unknown };
  const hashes = manifest.kind === 'NodePool' ? hashAnnotations(manifest as KubeObject & NodePool) : {};
  const metadata = { ...before?.metadata, ...manifest.metadata, annotations: { ...manifest.metadata.annotations, ...hashes } };
  return withAppliedStatus({ ...manifest, metadata, ...(status === undefined ? {} : { status }) });
};

/** A cluster as it would be once the manifests were applied. Nothing is written: the answers to reads are changed. */
export const overlayReader = (reader: ClusterReader, manifests: readonly KubeObject[]): ClusterReader => ({
  async listPage(kind, options) {
    const page: ObjectPage<KubeObject> = await reader.listPage(kind, options);
    const changed = new Map(manifests.filter((each) => each.kind === kind).map((each) => [keyOf(each), each]));
    if (changed.size === 0) return { ...page, items: page.items as never[] };
    const before = new Map(page.items.map((each) => [keyOf({ ...each, kind }), each]));
    const kept = page.items.filter((each) => !changed.has(keyOf({ ...each, kind })));
    const fresh = page.continue === undefined ? changed : new Map([...changed].filter(([key]) => before.has(key)));
    const items = [...kept, ...[...fresh].map(([key, each]) => appliedObject(structuredClone(each), before.get(key)))];
    return { ...page, items: items as never[] };
  },
  watch: (_kind, options) => neverChanging(options?.signal),
});
