/** `@karpenter/core/convert`: manifests of former versions in the words of the current one. */
export { convertManifest, coreConverters } from './convert-manifest.ts';
export type { Conversion, ConversionNote, Converter, DefaultNodeClass, ManifestShape } from './conversion.ts';
export { leftOut } from './conversion.ts';
export { asObject, without } from './manifest.ts';
export type { Manifest } from './manifest.ts';
export { carriedMetadata } from './metadata.ts';
