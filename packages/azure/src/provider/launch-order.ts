import { admits, labels, type NodeClaim, type Requirements } from '@karpenter/core';
import { type AKSNodeClass, azureLabels, type NodeImage } from '../apis/index.ts';
import { parseSubnetId } from '../arm/subnet-id.ts';
import { isManagedVnet } from '../arm/subnet-id.ts';
import { customDataOf, gpuDriverOf, kubeletFlagsOf, nodeLabelsOf, nodeTaintsOf } from '../bootstrap/index.ts';
import { ephemeralPlacementOf, facetsOf, kubeReservedOf, osDiskSizeGBOf, singleValues } from '../catalog/index.ts';
import {
  type Choice,
  type LaunchOrder,
  machineLabelsOf,
  machineNameOf,
  machineTagsOf,
  nicBodyOf,
  nicIdOf,
  type SecurityGroup,
  vmBodyOf,
} from '../machines/index.ts';
import { apiServerNameOf, type AzureOptions, defaultMaxPodsOf, isOverlay } from '../options/index.ts';
import { gpuOf, type Sku } from '../skus/index.ts';
import { logicalZoneOf } from '../zones/index.ts';
import type { ClusterFacts } from './cluster-facts.ts';

/** All that a launch depends on, as values. */
export interface LaunchSource {
  readonly options: AzureOptions;
  readonly caBundle: string;
  readonly claim: NodeClaim;
  readonly requirements: Requirements;
  readonly nodeClass: AKSNodeClass;
  readonly kubernetesVersion: string;
  readonly image: NodeImage;
  readonly choice: Choice;
  readonly sku: Sku;
  readonly facts: ClusterFacts;
  readonly securityGroup: SecurityGroup;
  readonly backendPoolIds: readonly string[];
}

const maxPodsOf = ({ nodeClass, options }: LaunchSource): number => facetsOf(nodeClass, defaultMaxPodsOf(options)).maxPods;

/** Only a claim that insists on ultra disks gets them: they cost even when none is attached. */
export const wantsUltraSsd = (requirements: Requirements): boolean => {
  const wanted = requirements.get(azureLabels.skuUltraSSD);
  return wanted !== undefined && admits(wanted, 'true') && !admits(wanted, 'false');
};

const subnetIdOf = ({ nodeClass, options }: LaunchSource): string => nodeClass.spec?.vnetSubnetID ?? options.vnetSubnetId;

const subnetOf = (source: LaunchSource) =>
  parseSubnetId(subnetIdOf(source)) ?? { subscriptionId: '', resourceGroup: '', vnet: '', name: '' };

const nodeLabels = (source: LaunchSource, tags: Readonly<Record<string, string>>): Readonly<Record<string, string>> => {
  const { options, nodeClass, kubernetesVersion, claim, requirements, choice, facts } = source;
  const base = { options, nodeClass, kubernetesVersion, subnetName: subnetOf(source).name, vnetGuid: facts.vnetGuid };
  const { zone, capacityType } = choice.offering;
  const vm = {
    name: machineNameOf(claim.metadata.name),
    size: choice.type.name,
    zone,
    capacityType: capacityType === 'spot' ? ('spot' as const) : ('on-demand' as const),
    imageId: undefined,
    hasUltraSsd: wantsUltraSsd(requirements),
    tags,
    provisioningState: '',
    createdAt: undefined,
  };
  return nodeLabelsOf(base, { ...claim.metadata.labels, ...singleValues(requirements), ...machineLabelsOf(vm, choice.type) });
};

const customData = (source: LaunchSource, tags: Readonly<Record<string, string>>): string => {
  const { options, sku, nodeClass, kubernetesVersion, claim, facts, securityGroup } = source;
  const hasDriver = gpuOf(sku.name)?.manufacturer === 'nvidia' && (nodeClass.spec?.gpu?.mode ?? 'Driver') === 'Driver';
  return customDataOf({
    options,
    apiServerName: apiServerNameOf(options),
    caBundle: source.caBundle,
    kubernetesVersion,
    architecture: sku.architecture,
    subnet: subnetOf(source),
    networkSecurityGroup: securityGroup.name,
    routeTable: securityGroup.routeTable,
    gpuDriver: hasDriver ? gpuDriverOf(sku.name) : undefined,
    kubeletFlags: kubeletFlagsOf({
      kubernetesVersion,
      maxPods: maxPodsOf(source),
      kubeReserved: kubeReservedOf(sku.vCpus, sku.memoryGiB),
      clusterDns: facts.clusterDns,
      taints: nodeTaintsOf(claim.spec),
      kubelet: nodeClass.spec?.kubelet ?? {},
    }),
    labels: nodeLabels(source, tags),
  });
};

/** What marks a machine and its parts. */
export const launchTagsOf = ({
  options,
  nodeClass,
  claim,
}: Pick<LaunchSource, 'options' | 'nodeClass' | 'claim'>): Readonly<Record<string, string>> =>
  machineTagsOf({
    clusterName: options.clusterName,
    nodePoolName: claim.metadata.labels?.[labels.nodePool],
    additionalTags: options.additionalTags,
    classTags: nodeClass.spec?.tags ?? {},
  });

const nicOf = (source: LaunchSource, name: string, tags: Readonly<Record<string, string>>): LaunchOrder['nic'] => {
  const { options, sku, securityGroup } = source;
  const isManaged = isManagedVnet(subnetOf(source), options.nodeResourceGroup);
  return nicBodyOf({
    name,
    location: options.location,
    tags,
    subnetId: subnetIdOf(source),
    backendPoolIds: source.backendPoolIds,
    isAccelerated: sku.has('AcceleratedNetworkingEnabled'),
    networkSecurityGroupId: isManaged ? undefined : securityGroup.id,
    podAddresses: options.networkPlugin === 'azure' && !isOverlay(options) ? maxPodsOf(source) - 1 : 0,
  });
};

/** The two bodies that make a machine of a claim. The same source gives the same bytes. */
export const launchOrderOf = (source: LaunchSource): LaunchOrder => {
  const { options, claim, choice, sku, nodeClass } = source;
  const name = machineNameOf(claim.metadata.name);
  const tags = launchTagsOf(source);
  const ephemeral = ephemeralPlacementOf(sku);
  const osDiskSizeGB = osDiskSizeGBOf(nodeClass);
  const vm = vmBodyOf({
    name,
    location: options.location,
    tags,
    size: choice.type.name,
    zone: logicalZoneOf(choice.offering.zone),
    isSpot: choice.offering.capacityType === 'spot',
    imageId: source.image.id,
    osDiskSizeGB,
    ephemeral: ephemeral !== undefined && osDiskSizeGB <= ephemeral.maxSizeGB ? ephemeral.placement : undefined,
    diskEncryptionSetId: options.diskEncryptionSetId,
    nicId: nicIdOf(options, name),
    identityIds: options.nodeIdentities,
    adminUsername: options.linuxAdminUsername,
    sshPublicKey: options.sshPublicKey,
    customData: customData(source, tags),
    security: nodeClass.spec?.security,
    hasUltraSsd: wantsUltraSsd(source.requirements),
  });
  return { name, nic: nicOf(source, name, tags), vm };
};
