import type { InstanceType, LabelCatalog, NodeClaim, NodeClassKind, NodePool } from '@karpenter/core';
import type { UnsupportedVolumes } from '@karpenter/core/internal';

/** What a catalog has to know of the cluster. */
export interface CatalogQuestion {
  /** The class that the pool refers to; undefined where nobody knows it. */
  readonly nodeClass?: object | undefined;
  /** The region of the nodes; undefined where there are none. */
  readonly region?: string | undefined;
}

/** A class before and after a change. */
export interface ClassChange {
  readonly before: object;
  readonly after: object;
}

/** What a provider sells, known without a call to its cloud. */
export interface Catalog {
  /** The class that its NodePools refer to. */
  readonly nodeClassKind: NodeClassKind;
  readonly labelCatalog: LabelCatalog;
  /** Volumes that the provider's nodes cannot have. Left out: none. */
  readonly unsupportedVolumes?: UnsupportedVolumes | undefined;
  /** What a NodePool has to require so that its machines stand in zones. Left out: they always do. */
  readonly zonalRequirement?: string | undefined;
  /** For people: `Azure eastus, prices of 2026-06-18, those of spot estimated`. */
  titleOf(question: CatalogQuestion): string;
  /** Errors: CommandError, when the region is not known. */
  typesFor(nodePool: NodePool, question: CatalogQuestion): Promise<readonly InstanceType[]>;
  /** A class as the API server and its controller keep the manifest. Left out: as written. */
  storedClass?(manifest: object): object;
  /** Why the machine of a claim drifts once its class has changed; undefined where it does not. */
  classDriftOf(claim: NodeClaim, change: ClassChange): string | undefined;
}
