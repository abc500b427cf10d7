import { type ClassHash, specHashOf } from '@karpenter/core/provider-kit';
import type { AKSNodeClass } from './aks-node-class.ts';
import { azureAnnotations } from './azure-names.ts';

/**
 * Version of how the hash below is made. It differs from the original's (`v3`), so that a cluster that comes over is
 * migrated by the hash controller and no node drifts for it.
 */
export const NODE_CLASS_HASH_VERSION = 'ts-v1';

/**
 * Decimal text of a 64-bit hash over the spec. Left out are tags, which change in place, and `additionalSubnetIDs`: a
 * node drifts when its own subnet is taken away.
 */
export const nodeClassHashOf = (nodeClass: Pick<AKSNodeClass, 'spec'>): string =>
  specHashOf({ ...nodeClass.spec, tags: undefined, additionalSubnetIDs: undefined });

/** How classes are hashed, and the annotations of classes and claims that say it. */
export const nodeClassHash: ClassHash<AKSNodeClass> = {
  of: nodeClassHashOf,
  version: NODE_CLASS_HASH_VERSION,
  annotations: { hash: azureAnnotations.nodeClassHash, version: azureAnnotations.nodeClassHashVersion },
};
