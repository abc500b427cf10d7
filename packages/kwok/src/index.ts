/** `@karpenter/kwok`: a provider whose machines are Node objects that kwok keeps alive. */
export { KWOK_GROUP, kwokLabels } from './apis/kwok-names.ts';
export { type KWOKNodeClass, type KwokFailures, kwokNodeClassCrd, kwokNodeClassKind, type SoldOut } from './apis/kwok-node-class.ts';
export { genericTypes } from './instance-types/generic-types.ts';
export type { InstanceTypeEntry, OfferingEntry } from './instance-types/instance-type-entry.ts';
export { type ParsedInstanceTypes, parseInstanceTypes } from './instance-types/parse-instance-types.ts';
export { imageOf, KwokProvider, type KwokProviderParts } from './provider/kwok-provider.ts';
export { kwokProviderPlugin as providerPlugin } from './plugin/kwok-plugin.ts';
