import { expect, test } from '@jest/globals';
import { missingRoleIn } from './missing-role.ts';

const GROUP = '/subscriptions/1/resourceGroups/nodes';
const SUBNET = '/subscriptions/1/resourceGroups/net/providers/Microsoft.Network/virtualNetworks/v/subnets/s';

const denied = (action: string, scope: string): string =>
  `The client 'a' with object id 'a' does not have authorization to perform action '${action}' over scope '${scope}' or the scope is invalid. If access was recently granted, please refresh your credentials.`;

test.each([
  ['Microsoft.Compute/virtualMachines/write', GROUP, 'Virtual Machine Contributor'],
  ['Microsoft.Network/networkInterfaces/write', GROUP, 'Network Contributor'],
  ['Microsoft.ManagedIdentity/userAssignedIdentities/assign/action', GROUP, 'Managed Identity Operator'],
  ['Microsoft.Compute/diskEncryptionSets/read', GROUP, 'Reader'],
  ['Microsoft.Compute/capacityReservationGroups/capacityReservations/read', GROUP, 'Reader'],
  ['Microsoft.Compute/capacityReservationGroups/deploy/action', GROUP, 'Contributor'],
])('%s on %s wants %s', (action, scope, role) => {
  expect(missingRoleIn(denied(action, scope))).toBe(
    `give the identity of the controller the role "${role}" on ${scope}: it may not do ${action} there`,
  );
});

test('of a linked resource, the link is what is missing', () => {
  const message =
    `The client 'a' with object id 'a' has permission to perform action 'Microsoft.Network/networkInterfaces/write' on scope '${GROUP}'; ` +
    `however, it does not have permission to perform action 'Microsoft.Network/virtualNetworks/subnets/join/action' on the linked scope(s) ` +
    `'${SUBNET}' or the linked scope(s) are invalid.`;
  expect(missingRoleIn(message)).toContain(
    `the role "Network Contributor" on ${SUBNET}: it may not do Microsoft.Network/virtualNetworks/subnets/join/action`,
  );
});

test.each([
  ['one of', 'Microsoft.ManagedIdentity/userAssignedIdentities/assign/action', '/ids/a'],
  [
    'the first of several, each on its own scope, of',
    'Microsoft.ManagedIdentity/userAssignedIdentities/assign/action,Microsoft.Network/virtualNetworks/subnets/join/action',
    `/ids/a,${SUBNET}`,
  ],
])('%s the actions that ARM counts together is what is missing', (_, actions, scopes) => {
  const message =
    `The client 'a' with object id 'a' has permission to perform action 'Microsoft.Compute/virtualMachines/write' on scope '${GROUP}'; ` +
    `however, it does not have permission to perform action(s) '${actions}' on the linked scope(s) '${scopes}' (respectively) or the linked scope(s) are invalid.`;
  expect(missingRoleIn(message)).toContain('the role "Managed Identity Operator" on /ids/a: it may not do Microsoft.ManagedIdentity/');
});

test('an action that no common role is known for is named all the same', () => {
  expect(missingRoleIn(denied('Contoso.Things/write', GROUP))).toContain('a role with the action Contoso.Things/write');
});

test('a message that names no action says nothing', () => {
  expect(missingRoleIn('The access token is expired.')).toBeUndefined();
});
