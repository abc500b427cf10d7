import type { ClusterState } from '@karpenter/core/controllers';
import { namespacedNameOf, resolveReference } from '@karpenter/core/internal';
import type { KubeClient, KubeObject, ObjectKey, ObjectPage } from '@karpenter/runtime';
import type { ClusterReader } from './file-reader.ts';

/** Finds an object by a list of its kind: this program has no other verb. */
const finding = (reader: ClusterReader): Pick<KubeClient, 'get'> => ({
  async get<T extends KubeObject>(kind: string, key: ObjectKey, { signal }: { readonly signal?: AbortSignal } = {}) {
    const { name, namespace } = key;
    const selection = { fieldSelector: `metadata.name=${name}`, ...(namespace !== undefined && { namespace }), ...(signal && { signal }) };
    const { items }: ObjectPage<T> = await reader.listPage<T>(kind, selection);
    // Files do not select.
    return items.find(({ metadata }) => namespacedNameOf(metadata) === namespacedNameOf(key));
  },
});

/**
 * Reads the pod templates of CapacityBuffers that were not read yet. Errors: KubeError, when the API server does not
 * answer.
 */
export const resolveBuffers = async (state: ClusterState, reader: ClusterReader, signal: AbortSignal): Promise<void> => {
  const kube = finding(reader);
  for (const buffer of state.buffers.list()) {
    if (state.buffers.resolutionOf(buffer) === undefined) state.buffers.resolve(buffer, await resolveReference(kube, buffer, signal));
  }
};
