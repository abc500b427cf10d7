import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parseAzureOptions } from '../options/index.ts';
import { aNodeClass } from '../testing/azure-world.ts';
import { requiredVariables } from '../testing/required-variables.ts';
import { neededActions } from './needed-actions.ts';

const roles = join(import.meta.dirname, '../../../../apps/controller/scripts/roles');

interface RoleDefinition {
  readonly Actions: readonly string[];
}

const inGroup = (path: string): string => `/subscriptions/11111111-2222-3333-4444-555555555555/resourceGroups/demo/providers/${path}`;

/** Variables that the modes beside the default one need. */
const ofModes = {
  NODE_IDENTITIES: inGroup('Microsoft.ManagedIdentity/userAssignedIdentities/kubelet'),
  ARM_RESOURCE_GROUP: 'demo',
  NODEBOOTSTRAPPING_SERVER_URL: 'https://127.0.0.1',
};

const ofPools = { USE_SIG: 'true', SIG_SUBSCRIPTION_ID: '11111111-2222-3333-4444-555555555555', AKS_MACHINES_POOL_NAME: 'machines' };

const network = inGroup('Microsoft.Network/virtualNetworks/own');
const inSeveralSubnets = {
  ...aNodeClass(),
  spec: { vnetSubnetID: `${network}/subnets/a`, additionalSubnetIDs: [`${network}/subnets/b`] },
};

const actionsIn = (mode: string): readonly string[] => {
  const parsed = parseAzureOptions({
    env: { ...requiredVariables, ...ofModes, ...(mode.startsWith('aksmachineapi') && ofPools), PROVISION_MODE: mode },
    flags: {},
  });
  if (!parsed.ok) throw new Error(parsed.problems.join());
  const needs = neededActions({
    options: parsed.options,
    nodeClasses: [inSeveralSubnets],
    subnetIds: [`${network}/subnets/a`],
  });
  return [...new Set(needs.flatMap(({ actions }) => actions))].sort();
};

test('a class with several subnets needs to read the addresses of its network', () => {
  const parsed = parseAzureOptions({ env: requiredVariables, flags: {} });
  if (!parsed.ok) throw new Error(parsed.problems.join());
  const needs = neededActions({ options: parsed.options, nodeClasses: [inSeveralSubnets], subnetIds: [] });
  expect(needs).toContainEqual({ scope: network, actions: ['Microsoft.Network/virtualNetworks/usages/read'] });
});

test('capacity reservation groups need four actions each, of the group and of its reservations', () => {
  const scope = inGroup('Microsoft.Compute/capacityReservationGroups/web');
  const parsed = parseAzureOptions({ env: { ...requiredVariables, CAPACITY_RESERVATION_GROUPS: scope }, flags: {} });
  if (!parsed.ok) throw new Error(parsed.problems.join());
  const needs = neededActions({ options: parsed.options, nodeClasses: [], subnetIds: [] });
  const group = 'Microsoft.Compute/capacityReservationGroups';
  const actions = ['read', 'deploy/action', 'capacityReservations/read', 'capacityReservations/deploy/action'].map(
    (each) => `${group}/${each}`,
  );
  expect(needs).toContainEqual({ scope, actions });
});

test('choosing by spot placement scores needs an action on the subscription', () => {
  const parsed = parseAzureOptions({ env: { ...requiredVariables, SPOT_PLACEMENT_SCORES: 'true' }, flags: {} });
  if (!parsed.ok) throw new Error(parsed.problems.join());
  const scope = `/subscriptions/${parsed.options.subscriptionId}`;
  const actions = ['Microsoft.Compute/locations/placementScores/generate/action'];
  expect(neededActions({ options: parsed.options, nodeClasses: [], subnetIds: [] })).toContainEqual({ scope, actions });
});

describe('F14: the smallest role', () => {
  test.each([
    ['karpenter-vms', 'aksscriptless'],
    ['karpenter-vms', 'bootstrappingclient'],
    ['karpenter-pool-machines', 'aksmachineapi'],
    ['karpenter-pool-machines', 'aksmachineapiheaderbatch'],
  ])('%s has what preflight checks in the mode %s, and nothing else', (name, mode) => {
    const { Actions } = JSON.parse(readFileSync(join(roles, `${name}.json`), 'utf8')) as RoleDefinition;
    expect(Actions).toEqual(actionsIn(mode));
  });
});
