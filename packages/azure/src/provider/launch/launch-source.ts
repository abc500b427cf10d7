import { admits, capacityTypes, CloudProviderError, labels, type NodeClaim, type Requirements } from '@karpenter/core';
import { problemsText } from '@karpenter/core/provider-kit';
import { type AKSNodeClass, azureLabels, isConfidential, type NodeImage, type ValueProblem } from '../../apis/index.ts';
import { parseSubnetId, type SubnetId } from '../../arm/calls/subnet-id.ts';
import { nodeLabelsOf, nodeValueProblems } from '../../bootstrap/index.ts';
import { type EphemeralPlacement, ephemeralPlacementOf, facetsOf, osDiskSizeGBOf, singleValues } from '../../catalog/index.ts';
import { resolveFamily } from '../../images/index.ts';
import {
  type BackendPools,
  type OfferingChoice,
  machineLabelsOf,
  machineNameOf,
  machineTagsOf,
  type NetworkFacts,
  type SecurityGroup,
  selectImage,
  type VmFacts,
} from '../../machines/index.ts';
import { type AzureOptions, defaultMaxPodsOf } from '../../options/index.ts';
import { type CapacityReservation, groupNameOf } from '../../reservations/index.ts';
import type { Sku } from '../../skus/index.ts';
import type { AzureMetrics } from '../azure-metrics.ts';
import type { ClusterFacts, ReadClusterFacts } from '../cluster-facts.ts';
import type { UsableNodeClass } from '../usable-node-class.ts';

/** What is bought for a claim. */
export interface MachineLaunch {
  readonly claim: NodeClaim;
  readonly requirements: Requirements;
  readonly usable: UsableNodeClass;
  readonly choice: OfferingChoice;
  readonly sku: Sku;
  /** The reservation that the machine is made out of; absent: it is bought. */
  readonly reservation: CapacityReservation | undefined;
  /** ARM id of the subnet that the node joins. */
  readonly subnetId: string;
}

/** All that a launch depends on, as values. */
export interface LaunchSource extends LaunchBasis {
  readonly caBundle: string;
  readonly facts: ClusterFacts;
  readonly securityGroup: SecurityGroup;
  readonly backendPools: BackendPools;
}

/** The planned part of it, which needs no call. */
export interface LaunchBasis extends Omit<MachineLaunch, 'usable'> {
  readonly options: AzureOptions;
  readonly nodeClass: AKSNodeClass;
  readonly kubernetesVersion: string;
  readonly image: NodeImage;
}

export const maxPodsOf = ({ nodeClass, options }: Pick<LaunchBasis, 'nodeClass' | 'options'>): number =>
  facetsOf(nodeClass, defaultMaxPodsOf(options)).maxPods;

/** Only a claim that insists on ultra disks gets them: they cost even when none is attached. */
export const wantsUltraSsd = (requirements: Requirements): boolean => {
  const wanted = requirements.get(azureLabels.skuUltraSSD);
  return wanted !== undefined && admits(wanted, 'true') && !admits(wanted, 'false');
};

export const subnetOf = (source: LaunchBasis): SubnetId =>
  parseSubnetId(source.subnetId) ?? { subscriptionId: '', resourceGroup: '', vnet: '', name: '' };

/** Where the OS disk fits on the machine itself; undefined: it is a managed disk, as that of a confidential VM always is. */
export const placementOf = ({ sku, nodeClass }: Pick<LaunchBasis, 'sku' | 'nodeClass'>): EphemeralPlacement['placement'] | undefined => {
  const ephemeral = isConfidential(nodeClass) ? undefined : ephemeralPlacementOf(sku);
  return ephemeral !== undefined && osDiskSizeGBOf(nodeClass) <= ephemeral.maxSizeGB ? ephemeral.placement : undefined;
};

/** What marks a machine and its parts. */
export const launchTagsOf = (
  { options, nodeClass, claim }: Pick<LaunchBasis, 'options' | 'nodeClass' | 'claim'>,
  isAksMachine = options.provisioning.kind === 'aksmachineapi',
): Readonly<Record<string, string>> =>
  machineTagsOf({
    claimName: isAksMachine ? claim.metadata.name : undefined,
    clusterName: options.clusterName,
    nodePoolName: claim.metadata.labels?.[labels.nodePool],
    additionalTags: options.additionalTags,
    classTags: nodeClass.spec?.tags ?? {},
  });

/** What is known of a machine by how it is bought. */
export const factsOfPurchase = ({
  choice: { type, offering },
  reservation,
}: Pick<LaunchBasis, 'choice' | 'reservation'>): Pick<VmFacts, 'size' | 'zone' | 'capacityType' | 'reservation'> => {
  const bought = offering.capacityType === capacityTypes.spot ? capacityTypes.spot : capacityTypes.onDemand;
  const at = { size: type.name, zone: offering.zone };
  if (reservation === undefined) return { ...at, capacityType: bought };
  return { ...at, capacityType: capacityTypes.reserved, reservation: { id: reservation.id, group: groupNameOf(reservation.groupId) } };
};

/** The labels that are wanted of the node, beside those that every node of the class has. */
export const wantedLabelsOf = (basis: LaunchBasis): Readonly<Record<string, string>> => {
  const { claim, requirements, choice } = basis;
  const vm: VmFacts = {
    ...factsOfPurchase(basis),
    name: machineNameOf(claim.metadata.name),
    imageId: undefined,
    hasUltraSsd: wantsUltraSsd(requirements),
    tags: launchTagsOf(basis),
    provisioningState: '',
    createdAt: undefined,
  };
  const ofMachine = machineLabelsOf(vm, choice.type);
  return { [labels.doNotSyncTaints]: 'true', ...claim.metadata.labels, ...singleValues(requirements), ...ofMachine };
};

/** The labels that the node joins with. */
export const launchLabelsOf = (source: LaunchSource): Readonly<Record<string, string>> => {
  const { options, nodeClass, kubernetesVersion, facts } = source;
  const podSubnet = parseSubnetId(nodeClass.spec?.podSubnetID ?? '');
  const base = { options, nodeClass, kubernetesVersion, subnetName: subnetOf(source).name, podSubnet, vnetGuid: facts.vnetGuid };
  return nodeLabelsOf(base, wantedLabelsOf(source));
};

/** What a planned launch still needs without a call. */
export interface BasisParts extends Pick<AzureMetrics, 'imageSelectionErrors'> {
  readonly options: AzureOptions;
}

/** What it needs of the cluster. */
export interface SourceParts extends BasisParts {
  /** Base64 of PEM: whom nodes trust as API server. */
  readonly caBundle: string;
  readonly facts: ReadClusterFacts;
  readonly network: NetworkFacts;
}

/** Throws `launch-refused` with each value that a machine must not get. */
export const refuseUnsafe = (problems: readonly ValueProblem[]): void => {
  if (problems.length === 0) return;
  throw new CloudProviderError('launch-refused', problemsText(problems), { reason: 'UnsafeNodeValue' });
};

/**
 * What a launch was planned with. Throws `launch-failed` when no image runs on the size, `launch-refused` for values that
 * would be more than text to a node.
 */
export const basisOf = ({ options, imageSelectionErrors }: BasisParts, launch: MachineLaunch): LaunchBasis => {
  const { images, nodeClass, kubernetesVersion } = launch.usable;
  const image = selectImage(images, launch.choice.type);
  if (image === undefined) {
    imageSelectionErrors.increment({ family: resolveFamily(nodeClass.spec ?? {}, kubernetesVersion) });
    throw new CloudProviderError('launch-failed', `no image of the class runs on ${launch.choice.type.name}`, { reason: 'ImageNotFound' });
  }
  const basis = { options, ...launch, ...launch.usable, image };
  refuseUnsafe(nodeValueProblems({ nodeClass, claim: launch.claim.spec, labels: wantedLabelsOf(basis) }));
  return basis;
};

/** All that a launch depends on. Throws as `basisOf`, and what the cluster's network cannot be read by. */
export const sourceOf = async (parts: SourceParts, launch: MachineLaunch, signal: AbortSignal): Promise<LaunchSource> => {
  const basis = basisOf(parts, launch);
  const [facts, securityGroup, backendPools] = await Promise.all([
    parts.facts(launch.usable.nodeClass, signal),
    parts.network.securityGroup(signal),
    parts.network.backendPools(signal),
  ]);
  return { ...basis, caBundle: parts.caBundle, facts, securityGroup, backendPools };
};
