import type { KubeCallOptions } from '../call-options.ts';

/** One step of a JSON patch (RFC 6902). */
export interface JsonPatchOperation {
  readonly op: 'add' | 'remove' | 'replace' | 'test' | 'move' | 'copy';
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

interface PatchOptions extends KubeCallOptions {
  readonly fieldManager?: string;
}

/**
 * A change to an object. `merge` and `strategic` bodies hold only what changes, with `null` for what goes; a
 * `metadata.resourceVersion` in them makes the write optimistic. `apply` states all that `fieldManager` owns.
 */
export type Patch =
  | (PatchOptions & { readonly type: 'merge' | 'strategic'; readonly body: object })
  | (PatchOptions & { readonly type: 'json'; readonly body: readonly JsonPatchOperation[] })
  | (PatchOptions & { readonly type: 'apply'; readonly body: object; readonly fieldManager: string; readonly force?: boolean });

/** The content type of each patch type. */
export const patchContentTypes: Readonly<Record<Patch['type'], string>> = {
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  json: 'application/json-patch+json',
  apply: 'application/apply-patch+yaml',
};
