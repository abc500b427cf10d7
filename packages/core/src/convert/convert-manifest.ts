import type { Conversion, Converter, DefaultNodeClass } from './conversion.ts';
import { formerNameNotes } from './former-names.ts';
import type { Manifest } from './manifest.ts';
import { nodeClaimV1beta1 } from './node-claim-v1beta1.ts';
import { nodePoolV1beta1 } from './node-pool-v1beta1.ts';
import { provisionerV1alpha5 } from './provisioner.ts';

/** The converters of core's own kinds, for a provider with this NodeClass. */
export const coreConverters = (nodeClass: DefaultNodeClass): readonly Converter[] => [
  provisionerV1alpha5(nodeClass),
  nodePoolV1beta1(nodeClass),
  nodeClaimV1beta1(nodeClass),
];

/**
 * The object in the version that is current. One that is current already, and objects of other kinds, come back as they are, with a note
 * for each name in them that Karpenter no longer knows.
 */
export const convertManifest = (manifest: Manifest, converters: readonly Converter[]): Conversion => {
  const converter = converters.find(({ apiVersion, kind }) => manifest['apiVersion'] === apiVersion && manifest['kind'] === kind);
  return converter === undefined ? { manifest, notes: formerNameNotes('', manifest) } : converter.convert(manifest);
};
