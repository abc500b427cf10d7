import { type AKSNodeClass, type AKSNodeClassSpec, type GpuMig, isConfidential, isFips, isTrustedLaunch } from '../apis/index.ts';
import { osSkuOf } from '../images/index.ts';

/** What of a class decides about its instance types: classes with equal facets share one catalog. */
export interface NodeClassFacets {
  readonly osSku: 'Ubuntu' | 'AzureLinux';
  readonly osDiskSizeGB: number;
  readonly maxPods: number;
  readonly isEncryptedAtHost: boolean;
  readonly isTrustedLaunch: boolean;
  readonly isConfidential: boolean;
  readonly isFips: boolean;
  readonly gpuMode: 'Driver' | 'None';
  readonly mig: GpuMig;
  readonly streamsArtifacts: boolean;
  readonly hasLocalDns: boolean;
  /** Azure makes no such machine out of a capacity reservation. */
  readonly isInPlacementGroup: boolean;
}

const DEFAULT_OS_DISK_GB = 128;

export const osDiskSizeGBOf = (nodeClass: Pick<AKSNodeClass, 'spec'>): number => nodeClass.spec?.osDiskSizeGB ?? DEFAULT_OS_DISK_GB;

const gpuFacets = ({ mode = 'Driver', mig = 'None' }: NonNullable<AKSNodeClassSpec['gpu']> = {}): Pick<
  NodeClassFacets,
  'gpuMode' | 'mig'
> => ({
  gpuMode: mode,
  mig,
});

export const facetsOf = (nodeClass: Pick<AKSNodeClass, 'spec' | 'status'>, defaultMaxPods: number): NodeClassFacets => {
  const spec = nodeClass.spec ?? {};
  return {
    osSku: osSkuOf(spec),
    osDiskSizeGB: osDiskSizeGBOf(nodeClass),
    maxPods: spec.maxPods ?? defaultMaxPods,
    isEncryptedAtHost: spec.security?.encryptionAtHost ?? false,
    isTrustedLaunch: isTrustedLaunch(nodeClass),
    isConfidential: isConfidential(nodeClass),
    isFips: isFips(nodeClass),
    ...gpuFacets(spec.gpu),
    streamsArtifacts: spec.artifactStreaming?.enabled ?? false,
    hasLocalDns: nodeClass.status?.localDNSState === 'Enabled',
    isInPlacementGroup: spec.proximityPlacementGroupID !== undefined,
  };
};
