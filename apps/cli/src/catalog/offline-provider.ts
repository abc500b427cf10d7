import {
  type CloudProvider,
  CloudProviderError,
  type LabelCatalog,
  mergeLabelCatalogs,
  type NodeClassKind,
  type NodePool,
} from '@karpenter/core';
import type { Catalog, CatalogQuestion } from './catalog.ts';

/** What the provider needs of the cluster that is read. */
export interface OfflineProviderParts {
  readonly catalogs: readonly Catalog[];
  /** The catalog of a pool; undefined where nothing is known of its provider. */
  readonly catalogOf: (nodePool: NodePool) => Catalog | undefined;
  readonly questionOf: (nodePool: NodePool) => CatalogQuestion;
  /** The kinds of class that pools refer to, whoever provides them. */
  readonly nodeClassKinds: () => readonly NodeClassKind[];
}

const refuse = (): Promise<never> => Promise.reject(new CloudProviderError('forbidden', 'this program only reads'));

const labelCatalogOf = ([first, ...others]: readonly Catalog[]): LabelCatalog | undefined =>
  first === undefined
    ? undefined
    : others.reduce((merged, { labelCatalog }) => mergeLabelCatalogs(merged, labelCatalog), first.labelCatalog);

/** A provider that says what its catalogs sell, and refuses all else. */
export const offlineProvider = (parts: OfflineProviderParts, fallback: LabelCatalog): CloudProvider => ({
  name: 'offline',
  getSupportedNodeClasses: parts.nodeClassKinds,
  labelCatalog: labelCatalogOf(parts.catalogs) ?? fallback,
  getInstanceTypes: (nodePool) => parts.catalogOf(nodePool)?.typesFor(nodePool, parts.questionOf(nodePool)) ?? Promise.resolve([]),
  isDrifted: () => Promise.resolve(undefined),
  repairPolicies: [],
  create: refuse,
  delete: refuse,
  get: refuse,
  list: refuse,
});
