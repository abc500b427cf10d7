import { asObject, leftOut, withoutEmpty } from './conversion.ts';
import type { ConversionNote, DefaultNodeClass, Manifest, ManifestShape } from './conversion.ts';

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

interface Template {
  readonly spec: Manifest;
  readonly notes: readonly ConversionNote[];
}

/** The kubelet's settings have gone to the NodeClass, where each kind has fields of its own. */
export const kubeletNotes = (path: string, kubelet: unknown, { kind }: DefaultNodeClass): readonly ConversionNote[] =>
  kubelet === undefined
    ? []
    : [{ field: path, note: `left out: kubelet settings are part of the ${kind} now (spec.kubelet): ${JSON.stringify(kubelet)}` }];

/** What is to be where v1beta1 spoke of machines. */
export const machineShapes = (path: string): Readonly<Record<string, ManifestShape>> => ({
  [path]: 'object',
  [`${path}.requirements`]: 'list',
  [`${path}.taints`]: 'list',
  [`${path}.startupTaints`]: 'list',
  [`${path}.nodeClassRef`]: 'object',
});

/** What v1beta1 said about machines, in a NodePool's template or in a NodeClaim. */
export const machineTemplate = (path: string, spec: Manifest, nodeClass: DefaultNodeClass): Template => {
  const { requirements = [], taints, startupTaints, nodeClassRef, terminationGracePeriod, kubelet, ...unknown } = spec;
  const reference = nodeClassReference(`${path}.nodeClassRef`, nodeClassRef, nodeClass);
  return {
    spec: {
      requirements,
      ...withoutEmpty({ taints, startupTaints, nodeClassRef: reference.nodeClassRef, terminationGracePeriod }),
    },
    notes: [...reference.notes, ...kubeletNotes(`${path}.kubelet`, kubelet, nodeClass), ...leftOut(path, unknown)],
  };
};
