import type { Conversion, ConversionNote, Converter, DefaultNodeClass } from './conversion.ts';
import { formerFieldNotes } from './former-fields.ts';
import { formerNameNotes } from './former-names.ts';
import type { Manifest } from './manifest.ts';
import { nodeClaimV1beta1 } from './node-claim-v1beta1.ts';
import { nodePoolV1beta1 } from './node-pool-v1beta1.ts';
import { misshapen } from './misshapen.ts';
import { provisionerV1alpha5 } from './provisioner.ts';

const FORMER = /^karpenter\.sh\/v1(alpha5|beta1)$/;

/** A kind of Karpenter in a version that is gone, which nothing here converts: Machine v1alpha5. */
const goneNotes = ({ apiVersion, kind }: Manifest): readonly ConversionNote[] =>
  FORMER.test(String(apiVersion))
    ? [
        {
          field: 'kind',
          note: `${String(kind)} of ${String(apiVersion)} is no longer known, and left as it is: leave it out`,
          mustBeMended: true,
        },
      ]
    : [];

/** The converters of core's own kinds, for a provider with this NodeClass. */
export const coreConverters = (nodeClass: DefaultNodeClass): readonly Converter[] => [
  provisionerV1alpha5(nodeClass),
  nodePoolV1beta1(nodeClass),
  nodeClaimV1beta1(nodeClass),
];

/**
 * The object in the version that is current. One that is current already, and objects of other kinds, come back as they
 * are, with a note for each name and field in them that Karpenter no longer knows.
 */
export const convertManifest = (manifest: Manifest, converters: readonly Converter[]): Conversion => {
  const converter = converters.find(({ apiVersion, kind }) => manifest['apiVersion'] === apiVersion && manifest['kind'] === kind);
  if (converter === undefined)
    return { manifest, notes: [...goneNotes(manifest), ...formerFieldNotes(manifest), ...formerNameNotes('', manifest)] };
  const { manifest: converted, notes } = converter.convert(manifest);
  return { manifest: converted, notes: [...misshapen(manifest, converter.shapes ?? {}), ...notes] };
};
