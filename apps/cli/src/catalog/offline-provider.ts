import {
  type CloudProvider,
  CloudProviderError,
  type InstanceType,
  type LabelCatalog,
  mergeLabelCatalogs,
  type NodeClassKind,
  type NodePool,
} from '@karpenter/core';
import type { Catalog } from './catalog.ts';

/** What the provider needs of the cluster that is read. */
export interface OfflineProviderParts {
  readonly catalogs: readonly Catalog[];
  /** None where nothing is known of the pool's provider. */
  readonly typesFor: (nodePool: NodePool) => Promise<readonly InstanceType[]>;
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
  getInstanceTypes: parts.typesFor,
  isDrifted: () => Promise.resolve(undefined),
  repairPolicies: [],
  create: refuse,
  delete: refuse,
  get: refuse,
  list: refuse,
});
