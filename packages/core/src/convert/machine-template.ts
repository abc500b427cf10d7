import type { ConversionNote, DefaultNodeClass, ManifestShape } from './conversion.ts';
import { leftOut } from './conversion.ts';
import { withoutEmpty } from './manifest.ts';
import type { Manifest } from './manifest.ts';
import { nodeClassReference } from './node-class-reference.ts';

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
