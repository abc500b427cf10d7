import { type ConversionNote, type DefaultNodeClass, leftOut } from './conversion.ts';
import { asObject } from './manifest.ts';
import type { Manifest } from './manifest.ts';

interface Reference {
  readonly nodeClassRef: Manifest | undefined;
  readonly notes: readonly ConversionNote[];
}

const groupOf = (apiVersion: string): string => apiVersion.split('/')[0] ?? '';

/** `{apiVersion?, kind?, name}` as `{group, kind, name}`; what it does not say is the provider's own NodeClass. */
export const nodeClassReference = (path: string, reference: unknown, { group, kind }: DefaultNodeClass): Reference => {
  const { apiVersion, kind: named, name, ...unknown } = asObject(reference);
  if (typeof name !== 'string') {
    const missing = { field: path, note: `is missing: name the ${kind} that says how machines are made`, mustBeMended: true } as const;
    return { nodeClassRef: undefined, notes: [missing] };
  }
  const nodeClassRef = {
    group: typeof apiVersion === 'string' ? groupOf(apiVersion) : group,
    kind: typeof named === 'string' ? named : kind,
    name,
  };
  const isForeign = nodeClassRef.group !== group || nodeClassRef.kind !== kind;
  const note = `names ${nodeClassRef.kind} ${name} of ${nodeClassRef.group}: write ${kind} ${name} in its place`;
  const notes = leftOut(path, unknown);
  return isForeign ? { nodeClassRef: { group, kind, name }, notes: [{ field: path, note }, ...notes] } : { nodeClassRef, notes };
};
