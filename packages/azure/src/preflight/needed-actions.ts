import { subnetIdsOf } from '../machines/index.ts';
import { agentPoolOf, type AzureOptions } from '../options/index.ts';
import type { Preflight } from './preflight-context.ts';

/** Actions that the controller takes on a scope. */
export interface Need {
  readonly scope: string;
  readonly actions: readonly string[];
}

/**
 * On the node resource group where Karpenter makes VMs and their interfaces. `scripts/roles/karpenter-vms.json` has the
 * same.
 */
const VM_ACTIONS: readonly string[] = [
  'Microsoft.Compute/disks/delete',
  'Microsoft.Compute/disks/read',
  // Azure makes the disk of a VM in the name of whoever makes the VM.
  'Microsoft.Compute/disks/write',
  'Microsoft.Compute/virtualMachines/delete',
  'Microsoft.Compute/virtualMachines/extensions/read',
  'Microsoft.Compute/virtualMachines/extensions/write',
  'Microsoft.Compute/virtualMachines/read',
  'Microsoft.Compute/virtualMachines/write',
  'Microsoft.Network/loadBalancers/backendAddressPools/join/action',
  'Microsoft.Network/loadBalancers/read',
  'Microsoft.Network/networkInterfaces/delete',
  'Microsoft.Network/networkInterfaces/join/action',
  'Microsoft.Network/networkInterfaces/read',
  'Microsoft.Network/networkInterfaces/write',
  'Microsoft.Network/networkSecurityGroups/join/action',
  'Microsoft.Network/networkSecurityGroups/read',
];

/** On the node resource group where AKS makes the machines: searching for what nobody owns, and deleting it. */
const ORPHAN_ACTIONS: readonly string[] = [
  'Microsoft.Compute/disks/delete',
  'Microsoft.Compute/disks/read',
  'Microsoft.Compute/virtualMachines/delete',
  'Microsoft.Compute/virtualMachines/read',
  'Microsoft.Network/networkInterfaces/delete',
  'Microsoft.Network/networkInterfaces/read',
];

/** On the cluster where AKS makes the machines. With `ORPHAN_ACTIONS` it is `scripts/roles/karpenter-pool-machines.json`. */
const AGENT_POOL_ACTIONS: readonly string[] = [
  'Microsoft.ContainerService/managedClusters/agentPools/deleteMachines/action',
  'Microsoft.ContainerService/managedClusters/agentPools/machines/read',
  'Microsoft.ContainerService/managedClusters/agentPools/machines/write',
  'Microsoft.ContainerService/managedClusters/agentPools/read',
];

const agentPoolNeed = (options: AzureOptions): readonly Need[] => {
  const pool = agentPoolOf(options);
  const group = pool && `/subscriptions/${options.subscriptionId}/resourceGroups/${pool.clusterResourceGroup}`;
  const scope = group && `${group}/providers/Microsoft.ContainerService/managedClusters/${options.clusterName}`;
  return scope === undefined ? [] : [{ scope, actions: AGENT_POOL_ACTIONS }];
};

const nodeGroupNeed = ({ subscriptionId, nodeResourceGroup, provisioning }: AzureOptions): Need => ({
  scope: `/subscriptions/${subscriptionId}/resourceGroups/${nodeResourceGroup}`,
  actions: provisioning.kind === 'aksmachineapi' ? ORPHAN_ACTIONS : VM_ACTIONS,
});

const SUBNET_ACTIONS = ['Microsoft.Network/virtualNetworks/subnets/join/action', 'Microsoft.Network/virtualNetworks/subnets/read'];

/** Free addresses are read where a class has several subnets. */
const networkNeeds = ({ options, nodeClasses }: NeedSource): readonly Need[] => {
  const spread = nodeClasses.map((nodeClass) => subnetIdsOf(nodeClass, options)).filter((ids) => ids.length > 1);
  const networks = new Set(spread.map(([id = '']) => id.replace(/\/subnets\/[^/]+$/i, '')));
  return [...networks].map((scope) => ({ scope, actions: ['Microsoft.Network/virtualNetworks/usages/read'] }));
};

/** AKS gives its own machines their identities. */
const identityNeeds = ({ provisioning, nodeIdentities }: AzureOptions): readonly Need[] =>
  provisioning.kind === 'aksmachineapi'
    ? []
    : nodeIdentities.map((scope) => ({ scope, actions: ['Microsoft.ManagedIdentity/userAssignedIdentities/assign/action'] }));

const spotScoreNeeds = ({ usesSpotPlacementScores, subscriptionId }: AzureOptions): readonly Need[] =>
  usesSpotPlacementScores
    ? [{ scope: `/subscriptions/${subscriptionId}`, actions: ['Microsoft.Compute/locations/placementScores/generate/action'] }]
    : [];

type NeedSource = Pick<Preflight, 'options' | 'subnetIds' | 'nodeClasses'>;

const encryptionSetIdsOf = ({ options, nodeClasses }: NeedSource): readonly string[] => {
  const ids = [options.diskEncryptionSetId, ...nodeClasses.map(({ spec }) => spec?.diskEncryptionSetID)];
  return [...new Set(ids.filter((id) => id !== undefined))];
};

const placementGroupIdsOf = ({ nodeClasses }: NeedSource): readonly string[] => [
  ...new Set(nodeClasses.map(({ spec }) => spec?.proximityPlacementGroupID).filter((id) => id !== undefined)),
];

const RESERVATION_ACTIONS = ['', '/capacityReservations'].flatMap((part) =>
  ['read', 'deploy/action'].map((verb) => `Microsoft.Compute/capacityReservationGroups${part}/${verb}`),
);

/** Everything that the identity of the controller must be allowed to, by scope, for the options and classes. */
export const neededActions = (source: NeedSource): readonly Need[] => {
  const { options, subnetIds } = source;
  return [
    nodeGroupNeed(options),
    ...agentPoolNeed(options),
    ...subnetIds.map((scope) => ({ scope, actions: SUBNET_ACTIONS })),
    ...networkNeeds(source),
    ...identityNeeds(options),
    ...encryptionSetIdsOf(source).map((scope) => ({ scope, actions: ['Microsoft.Compute/diskEncryptionSets/read'] })),
    ...spotScoreNeeds(options),
    ...placementGroupIdsOf(source).map((scope) => ({ scope, actions: ['Microsoft.Compute/proximityPlacementGroups/write'] })),
    ...options.capacityReservationGroups.map((scope) => ({
      scope,
      actions: RESERVATION_ACTIONS,
    })),
  ];
};
