import type { Node, NodeClaim } from '@karpenter/core';
import { hasClassHashDrifted } from '@karpenter/core/provider-kit';
import {
  type AKSNodeClass,
  aksLabels,
  azureAnnotations,
  type AzureDriftReason,
  azureDriftReasons,
  imagesOf,
  kubernetesVersionOf,
  nodeClassHash,
} from '../apis/index.ts';
import { nodeImageNameOf, releaseOf } from '../images/index.ts';
import { subnetIdsOf } from '../machines/index.ts';
import type { AzureOptions } from '../options/index.ts';

/** What drift is judged by; the node may not have come yet. */
export interface DriftSource {
  readonly claim: NodeClaim;
  readonly nodeClass: AKSNodeClass;
  readonly node: Node | undefined;
  readonly options: Pick<AzureOptions, 'kubeletIdentityClientId' | 'vnetSubnetId'>;
}

const hasVersionDrifted = ({ nodeClass, node }: DriftSource): boolean => {
  const wanted = kubernetesVersionOf(nodeClass);
  const runs = node?.metadata.deletionTimestamp === undefined ? node?.status?.nodeInfo?.kubeletVersion : undefined;
  return wanted !== undefined && runs !== undefined && releaseOf(runs) !== wanted;
};

/** A machine of an agent pool was made for the claim. */
export const isOfAgentPool = ({ metadata }: Pick<NodeClaim, 'metadata'>): boolean =>
  metadata.annotations?.[azureAnnotations.aksMachineId] !== undefined;

/** AKS manages the identity of agent pool machines; it is not compared. */
const hasIdentityDrifted = ({ claim, node, options }: DriftSource): boolean => {
  if (isOfAgentPool(claim)) return false;
  const label = node?.metadata.labels?.[aksLabels.kubeletIdentityClientId];
  return label !== undefined && label !== '' && label !== options.kubeletIdentityClientId;
};

/**
 * AKS names the images of its machines by the shared galleries: where a class takes its images elsewhere the two cannot
 * be compared.
 */
const isComparable = ({ claim }: DriftSource, imageIds: readonly string[]): boolean =>
  !isOfAgentPool(claim) || imageIds.some((id) => nodeImageNameOf(id) !== undefined);

const hasImageDrifted = (source: DriftSource): boolean => {
  const imageIds = (imagesOf(source.nodeClass) ?? []).map(({ id }) => id);
  const has = source.claim.status?.imageID;
  if (has === undefined || imageIds.length === 0 || !isComparable(source, imageIds)) return false;
  // AKS replaced this image before and would do so again, so it is no drift.
  const refused = source.claim.metadata.annotations?.[azureAnnotations.refusedImage];
  if (refused !== undefined && imageIds.some((id) => nodeImageNameOf(id) === refused)) return false;
  return !imageIds.some((id) => id === has || nodeImageNameOf(id) === has);
};

/** Only of classes with several subnets it is known which one a node has joined. */
const hasSubnetDrifted = ({ claim, nodeClass, options }: DriftSource): boolean => {
  const joined = claim.metadata.annotations?.[azureAnnotations.subnet]?.toLowerCase();
  return joined !== undefined && !subnetIdsOf(nodeClass, options).some((id) => id.toLowerCase() === joined);
};

const CHECKS: Readonly<Record<AzureDriftReason, (source: DriftSource) => boolean>> = {
  NodeClassDrift: ({ claim, nodeClass }) => hasClassHashDrifted(claim, nodeClass, nodeClassHash),
  SubnetDrift: hasSubnetDrifted,
  K8sVersionDrift: hasVersionDrifted,
  KubeletIdentityDrift: hasIdentityDrifted,
  ImageDrift: hasImageDrifted,
};

/** The first reason for which a machine is no longer what its class asks for. Reads nothing but Kubernetes objects. */
export const machineDriftOf = (source: DriftSource): AzureDriftReason | undefined =>
  azureDriftReasons.find((reason) => CHECKS[reason](source));
