import { once } from 'node:events';
import { nodeOverlayConditions } from '@karpenter/core/internal';
import type { KubeClient, KubeObject } from '@karpenter/runtime';

/** The two verbs that a cluster is read with. Nothing in this program has any other. */
export type ClusterReader = Pick<KubeClient, 'listPage' | 'watch'>;

const assumed = (type: string) => ({ type, status: 'True', reason: 'Assumed', lastTransitionTime: '1970-01-01T00:00:00Z' });

const withCondition = (object: KubeObject, type: string): KubeObject =>
  (object as { readonly status?: unknown }).status === undefined
    ? ({ ...object, status: { conditions: [assumed(type)] } } as KubeObject)
    : object;

/** A NodePool from a manifest has no status; it counts as ready. */
const withReadyStatus = (object: KubeObject): KubeObject => (object.kind === 'NodePool' ? withCondition(object, 'Ready') : object);

/** A NodeOverlay that is about to be applied counts as valid. */
export const withAppliedStatus = (object: KubeObject): KubeObject =>
  object.kind === 'NodeOverlay' ? withCondition(object, nodeOverlayConditions.validationSucceeded) : withReadyStatus(object);

/** Objects of files as if an API server held them. Of two with the same name, the later counts. */
export const fileReader = (objects: readonly KubeObject[]): ClusterReader => {
  const byKind = new Map<string, Map<string, KubeObject>>();
  for (const object of objects) {
    const { kind, metadata } = object;
    const known = byKind.get(kind) ?? new Map<string, KubeObject>();
    byKind.set(kind, known.set(`${metadata.namespace ?? ''}/${metadata.name}`, withReadyStatus(object)));
  }
  const itemsOf = (kind: string): readonly KubeObject[] => [...(byKind.get(kind)?.values() ?? [])];
  return {
    // The type of the objects is the caller's claim, as with an API server.
    listPage: (kind) => Promise.resolve({ items: structuredClone(itemsOf(kind)) as never[], resourceVersion: '1' }),
    watch: (_kind, options) => neverChanging(options?.signal),
  };
};

/** A watch in which nothing happens until it is aborted. */
export const neverChanging = (signal: AbortSignal | undefined): AsyncIterable<never> => ({
  [Symbol.asyncIterator]: () => ({
    async next() {
      if (signal?.aborted === false) await once(signal, 'abort');
      return { done: true, value: undefined };
    },
  }),
});
