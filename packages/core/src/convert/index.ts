/** `@karpenter/core/convert`: manifests of former versions in the words of the current one. */
export { convertManifest, coreConverters } from './convert-manifest.ts';
export { asObject, carriedMetadata, leftOut, without } from './conversion.ts';
export type { ConversionNote, Converter, Manifest } from './conversion.ts';
