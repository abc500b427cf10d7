import { ArmError } from '../arm/arm-error.ts';
import { roleFor } from '../arm/refusals/missing-role.ts';
import type { PermissionSet } from '../arm/subscription-api.ts';
import { agentPoolOf, type AzureOptions } from '../options/index.ts';
import type { Preflight } from './preflight-context.ts';
import type { PreflightFinding } from './report.ts';

/** Actions that the controller takes on a scope. */
interface Need {
  readonly scope: string;
  readonly actions: readonly string[];
}

const NODE_GROUP_ACTIONS = [
  'Microsoft.Compute/virtualMachines/read',
  'Microsoft.Compute/virtualMachines/write',
  'Microsoft.Compute/virtualMachines/delete',
  'Microsoft.Compute/virtualMachines/extensions/write',
  'Microsoft.Compute/disks/read',
  'Microsoft.Compute/disks/delete',
  'Microsoft.Network/networkInterfaces/read',
  'Microsoft.Network/networkInterfaces/write',
  'Microsoft.Network/networkInterfaces/delete',
  'Microsoft.Network/networkInterfaces/join/action',
  'Microsoft.Network/loadBalancers/read',
  'Microsoft.Network/loadBalancers/backendAddressPools/join/action',
  'Microsoft.Network/networkSecurityGroups/read',
  'Microsoft.Network/networkSecurityGroups/join/action',
];
const AGENT_POOL_ACTIONS = [
  'Microsoft.ContainerService/managedClusters/agentPools/read',
  'Microsoft.ContainerService/managedClusters/agentPools/machines/read',
  'Microsoft.ContainerService/managedClusters/agentPools/machines/write',
  'Microsoft.ContainerService/managedClusters/agentPools/deleteMachines/action',
];

const agentPoolNeed = (options: AzureOptions): readonly Need[] => {
  const pool = agentPoolOf(options);
  const group = pool && `/subscriptions/${options.subscriptionId}/resourceGroups/${pool.clusterResourceGroup}`;
  const scope = group && `${group}/providers/Microsoft.ContainerService/managedClusters/${options.clusterName}`;
  return scope === undefined ? [] : [{ scope, actions: AGENT_POOL_ACTIONS }];
};

const encryptionSetIdsOf = ({ options, nodeClasses }: Preflight): readonly string[] => {
  const ids = [options.diskEncryptionSetId, ...nodeClasses.map(({ spec }) => spec?.diskEncryptionSetID)];
  return [...new Set(ids.filter((id) => id !== undefined))];
};

const placementGroupIdsOf = ({ nodeClasses }: Preflight): readonly string[] => [
  ...new Set(nodeClasses.map(({ spec }) => spec?.proximityPlacementGroupID).filter((id) => id !== undefined)),
];

const needsOf = (context: Preflight): readonly Need[] => {
  const { options, subnetIds } = context;
  return [
    { scope: `/subscriptions/${options.subscriptionId}/resourceGroups/${options.nodeResourceGroup}`, actions: NODE_GROUP_ACTIONS },
    ...agentPoolNeed(options),
    ...subnetIds.map((scope) => ({
      scope,
      actions: ['Microsoft.Network/virtualNetworks/subnets/read', 'Microsoft.Network/virtualNetworks/subnets/join/action'],
    })),
    ...options.nodeIdentities.map((scope) => ({ scope, actions: ['Microsoft.ManagedIdentity/userAssignedIdentities/assign/action'] })),
    ...encryptionSetIdsOf(context).map((scope) => ({ scope, actions: ['Microsoft.Compute/diskEncryptionSets/read'] })),
    ...placementGroupIdsOf(context).map((scope) => ({ scope, actions: ['Microsoft.Compute/proximityPlacementGroups/write'] })),
    ...options.capacityReservationGroups.map((scope) => ({
      scope,
      actions: ['Microsoft.Compute/capacityReservationGroups/read', 'Microsoft.Compute/capacityReservationGroups/deploy/action'],
    })),
  ];
};

const matches = (pattern: string, action: string): boolean =>
  new RegExp(`^${pattern.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`, 'i').test(action);

/** By Azure's rule: one role must hold the action and not take it back. Deny assignments are not in the sets. */
export const isAllowed = (action: string, sets: readonly PermissionSet[]): boolean =>
  sets.some(
    ({ actions, notActions }) =>
      actions.some((pattern) => matches(pattern, action)) && !notActions.some((pattern) => matches(pattern, action)),
  );

const missing = ({ scope, actions }: Need, principal: string): PreflightFinding => {
  const role = roleFor(actions[0] ?? '') ?? 'a role of your own';
  return {
    check: 'permissions',
    subject: scope,
    status: 'failed',
    message: `the identity of the controller may not do ${actions.join(', ')}`,
    remedy: `az role assignment create --assignee ${principal} --role "${role}" --scope ${scope}`,
  };
};

/** A finding for each role that is missing. */
const missingByRole = (need: Need, denied: readonly string[], principal: string): readonly PreflightFinding[] =>
  [...Map.groupBy(denied, (action) => roleFor(action)).values()].map((actions) => missing({ ...need, actions }, principal));

const checkScope = async (need: Need, { reach, principal }: Preflight, signal: AbortSignal): Promise<readonly PreflightFinding[]> => {
  const { scope, actions } = need;
  try {
    const sets = await reach.subscription.permissionsOn(scope, signal);
    const denied = actions.filter((action) => !isAllowed(action, sets));
    if (denied.length > 0) return missingByRole(need, denied, principal);
    return [{ check: 'permissions', subject: scope, status: 'passed', message: `${actions.length} actions are allowed` }];
  } catch (error) {
    if (!(error instanceof ArmError)) throw error;
    if (error.code === 'forbidden') return [missing(need, principal)];
    const status = error.code === 'not-found' ? 'failed' : 'unknown';
    return [{ check: 'permissions', subject: scope, status, message: error.message }];
  }
};

/** What the identity may do on each scope that the options and classes name, by its permissions there: nothing is tried. */
export const accessChecks = async (context: Preflight, signal: AbortSignal): Promise<readonly PreflightFinding[]> => {
  const found = await Promise.all(needsOf(context).map((need) => checkScope(need, context, signal)));
  return found.flat();
};
