import { conditionOf } from '@karpenter/core';
import type { AKSNodeClass, NodeImage } from './aks-node-class.ts';

export const nodeClassConditions = {
  kubernetesVersionReady: 'KubernetesVersionReady',
  imagesReady: 'ImagesReady',
  subnetsReady: 'SubnetsReady',
  validationSucceeded: 'ValidationSucceeded',
  localDnsReady: 'LocalDNSReady',
  ready: 'Ready',
} as const;

/** The conditions that must all be True for a class to be Ready. */
export const readinessParts = [
  nodeClassConditions.kubernetesVersionReady,
  nodeClassConditions.imagesReady,
  nodeClassConditions.subnetsReady,
  nodeClassConditions.validationSucceeded,
  nodeClassConditions.localDnsReady,
] as const;

const isCurrent = (nodeClass: AKSNodeClass, type: string): boolean => {
  const condition = conditionOf(nodeClass.status?.conditions, type);
  return condition?.status === 'True' && (condition.observedGeneration ?? 0) === (nodeClass.metadata.generation ?? 0);
};

/** The version that new nodes run; undefined until it was resolved for the present spec. */
export const kubernetesVersionOf = (nodeClass: AKSNodeClass): string | undefined =>
  isCurrent(nodeClass, nodeClassConditions.kubernetesVersionReady) ? nodeClass.status?.kubernetesVersion : undefined;

/** The images that new nodes may run; undefined until they were resolved for the present spec. */
export const imagesOf = (nodeClass: AKSNodeClass): readonly NodeImage[] | undefined =>
  isCurrent(nodeClass, nodeClassConditions.imagesReady) ? nodeClass.status?.images : undefined;

export const isTrustedLaunch = (nodeClass: Pick<AKSNodeClass, 'spec'>): boolean => {
  const trusted = nodeClass.spec?.security?.trustedLaunch;
  return trusted?.vtpm === true || trusted?.secureBoot === true;
};

/** Whether machines of the class are confidential VMs. */
export const isConfidential = ({ spec }: Pick<AKSNodeClass, 'spec'>): boolean => spec?.security?.confidentialVM !== undefined;

/** Whether nodes of the class have addresses of both families. */
export const isDualStack = ({ spec }: Pick<AKSNodeClass, 'spec'>): boolean => spec?.ipFamilies?.includes('IPv6') ?? false;

export const isFips = (nodeClass: Pick<AKSNodeClass, 'spec'>): boolean => nodeClass.spec?.fipsMode === 'FIPS';
