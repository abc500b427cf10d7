import { admits, labels, type NodeClaim, type Requirements } from '@karpenter/core';
import { type AKSNodeClass, azureLabels, type NodeImage } from '../apis/index.ts';
import { parseSubnetId, type SubnetId } from '../arm/subnet-id.ts';
import { nodeLabelsOf } from '../bootstrap/index.ts';
import { type EphemeralPlacement, ephemeralPlacementOf, facetsOf, osDiskSizeGBOf, singleValues } from '../catalog/index.ts';
import { type Choice, machineLabelsOf, machineNameOf, machineTagsOf, type SecurityGroup } from '../machines/index.ts';
import { type AzureOptions, defaultMaxPodsOf } from '../options/index.ts';
import type { Sku } from '../skus/index.ts';
import type { ClusterFacts } from './cluster-facts.ts';

/** All that a launch depends on, as values. */
export interface LaunchSource extends LaunchBasis {
  readonly caBundle: string;
  readonly facts: ClusterFacts;
  readonly securityGroup: SecurityGroup;
  readonly backendPoolIds: readonly string[];
}

/** The part of it that was planned: nobody is asked. */
export interface LaunchBasis {
  readonly options: AzureOptions;
  readonly claim: NodeClaim;
  readonly requirements: Requirements;
  readonly nodeClass: AKSNodeClass;
  readonly kubernetesVersion: string;
  readonly image: NodeImage;
  readonly choice: Choice;
  readonly sku: Sku;
}

export const maxPodsOf = ({ nodeClass, options }: Pick<LaunchBasis, 'nodeClass' | 'options'>): number =>
  facetsOf(nodeClass, defaultMaxPodsOf(options)).maxPods;

/** Only a claim that insists on ultra disks gets them: they cost even when none is attached. */
export const wantsUltraSsd = (requirements: Requirements): boolean => {
  const wanted = requirements.get(azureLabels.skuUltraSSD);
  return wanted !== undefined && admits(wanted, 'true') && !admits(wanted, 'false');
};

export const subnetIdOf = ({ nodeClass, options }: LaunchBasis): string => nodeClass.spec?.vnetSubnetID ?? options.vnetSubnetId;

export const subnetOf = (source: LaunchBasis): SubnetId =>
  parseSubnetId(subnetIdOf(source)) ?? { subscriptionId: '', resourceGroup: '', vnet: '', name: '' };

/** Where the OS disk fits on the machine itself; undefined: it is a managed disk. */
export const placementOf = ({ sku, nodeClass }: LaunchBasis): EphemeralPlacement['placement'] | undefined => {
  const ephemeral = ephemeralPlacementOf(sku);
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

/** The labels that are wanted of the node, beside those that every node of the class has. */
export const wantedLabelsOf = (basis: LaunchBasis): Readonly<Record<string, string>> => {
  const { claim, requirements, choice } = basis;
  const { zone, capacityType } = choice.offering;
  const vm = {
    name: machineNameOf(claim.metadata.name),
    size: choice.type.name,
    zone,
    capacityType: capacityType === 'spot' ? ('spot' as const) : ('on-demand' as const),
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
  const base = { options, nodeClass, kubernetesVersion, subnetName: subnetOf(source).name, vnetGuid: facts.vnetGuid };
  return nodeLabelsOf(base, wantedLabelsOf(source));
};
