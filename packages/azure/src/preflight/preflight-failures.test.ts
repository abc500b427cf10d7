import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { type FaultRule, refusal } from '@karpenter/azure-emulator';
import { labels, type NodePool } from '@karpenter/core';
import { aNodeClass, aPool, azureWorld, type AzureWorld, type WorldOptions } from '../testing/azure-world.ts';
import { preflight, type PreflightSource } from './preflight.ts';
import type { PreflightCheck } from './report.ts';

const { signal } = new AbortController();

/** One thing that is wrong, and what the report then says to run. */
interface Failure {
  readonly check: PreflightCheck;
  readonly when: string;
  readonly azure?: WorldOptions;
  readonly env?: (world: AzureWorld) => Readonly<Record<string, string>>;
  /** An action that is taken away, everywhere. */
  readonly denied?: string;
  readonly given?: (world: AzureWorld) => Partial<PreflightSource>;
  /** Breaks what is to be broken; the world ends with the test. */
  readonly breaks?: (world: AzureWorld) => unknown;
  readonly run: string;
}

const ofSize = (size: string): NodePool => {
  const requirements = [{ key: labels.instanceType, operator: 'In' as const, values: [size] }];
  return { ...aPool, spec: { template: { spec: { ...aPool.spec.template.spec, requirements } } } };
};
const withSpec = (spec: object) => ({ nodeClasses: [{ ...aNodeClass(), spec }] });
const otherSubnet = ({ arm }: AzureWorld): string => arm.account.subnetId.replace(/[^/]+$/, 'gone');

/** The network that AKS manages, with another way out. */
const leaving = (egress: NonNullable<NonNullable<WorldOptions['network']>['egress']>): WorldOptions => ({
  network: { subnets: { 'aks-subnet': '10.224.0.0/16' }, egress },
});

const forbidden =
  (operation: NonNullable<FaultRule['operation']>) =>
  ({ arm }: AzureWorld): unknown =>
    arm.faults.add({ operation, effect: { kind: 'refuse', refusal: refusal(403, 'AuthorizationFailed', 'no role allows this') } });

const failures: readonly Failure[] = [
  {
    check: 'sign-in',
    when: 'the client secret is wrong',
    env: () => ({ AZURE_CLIENT_SECRET: 'wrong' }),
    run: 'az ad app credential reset --id CLIENT_ID, for AZURE_CLIENT_SECRET',
  },
  {
    check: 'sign-in',
    when: 'no token comes for the token file (workload identity)',
    env: () => ({ AZURE_FEDERATED_TOKEN_FILE: '/nowhere' }),
    run: 'az identity federated-credential list --resource-group GROUP --identity-name NAME',
  },
  {
    check: 'sign-in',
    when: 'no client secret, token file or managed identity is there, and nobody has signed in',
    given: ({ arm }) => ({ variables: { AZURE_CLIENT_ID: arm.account.clientId } }),
    run: 'az login',
  },
  {
    check: 'sign-in',
    when: 'the identity may not read the node resource group',
    breaks: forbidden('Resources_ListByResourceGroup'),
    run: 'az role assignment create --assignee CLIENT_ID --role "Reader" --scope SCOPE',
  },
  {
    check: 'sign-in',
    when: 'there is no such resource group',
    env: () => ({ AZURE_NODE_RESOURCE_GROUP: 'elsewhere' }),
    run: 'az aks show --query nodeResourceGroup, for --node-resource-group',
  },
  {
    check: 'sign-in',
    when: 'there is no such subscription',
    env: () => ({ ARM_SUBSCRIPTION_ID: '00000000-0000-0000-0000-000000000000' }),
    run: 'az account show --subscription SUBSCRIPTION',
  },
  {
    check: 'egress',
    when: 'Resource Manager is not reached',
    breaks: ({ arm }) => arm.faults.add({ operation: 'Resources_ListByResourceGroup', effect: { kind: 'reset', when: 'before' } }),
    run: 'curl --head URL, on a node of the controller',
  },
  {
    check: 'egress',
    when: 'a security group denies nodes port 443',
    azure: leaving({ rules: [{ name: 'DenyInternet', priority: 200, access: 'Deny', destination: 'Internet' }] }),
    run:
      'az network nsg rule create --resource-group GROUP --nsg-name NSG --name AllowAksOutbound --direction Outbound --access Allow ' +
      '--priority 199 --protocol Tcp --destination-port-ranges 443 ' +
      '--destination-address-prefixes AzureCloud.eastus MicrosoftContainerRegistry AzureFrontDoor.FirstParty AzureResourceManager AzureActiveDirectory',
  },
  {
    check: 'egress',
    when: 'a route drops the traffic of nodes',
    azure: leaving({ routes: [{ name: 'default', addressPrefix: '0.0.0.0/0', nextHopType: 'None' }] }),
    run: 'az network route-table route delete --resource-group GROUP --route-table-name TABLE --name default',
  },
  {
    check: 'egress',
    when: 'the outbound type is userDefinedRouting, and the subnet has no route table',
    azure: leaving({ outboundType: 'userDefinedRouting' }),
    run: 'az network vnet subnet update --ids SCOPE --route-table ROUTE_TABLE',
  },
  {
    check: 'egress',
    when: 'the outbound type is userDefinedRouting, and the route table has no route for 0.0.0.0/0',
    azure: leaving({ outboundType: 'userDefinedRouting', routes: [], hasRoutesOfGateways: false }),
    run: 'az network route-table route create --resource-group GROUP --route-table-name TABLE --name default --address-prefix 0.0.0.0/0 --next-hop-type VirtualAppliance --next-hop-ip-address FIREWALL',
  },
  {
    check: 'egress',
    when: 'the outbound type is managedNATGateway or userAssignedNATGateway, and the subnet has no NAT gateway',
    azure: leaving({ outboundType: 'userAssignedNATGateway' }),
    run: 'az network vnet subnet update --ids SCOPE --nat-gateway NAT_GATEWAY',
  },
  {
    check: 'egress',
    when: 'the service of `NODEBOOTSTRAPPING_SERVER_URL` is not reached, or does not know the cluster',
    azure: { variables: { PROVISION_MODE: 'bootstrappingclient' } },
    env: () => ({ CLUSTER_NAME: 'other' }),
    run: 'curl URL, in a pod beside the controller',
  },
  {
    check: 'clock',
    when: 'the clock is more than 5 minutes off',
    given: ({ clock }) => ({
      clock: {
        now: () => clock.now() - 400_000,
        sleep: (ms, until) => clock.sleep(ms, until),
        setTimeout: (fire, ms) => clock.setTimeout(fire, ms),
      },
    }),
    run: 'timedatectl set-ntp true, on the node of the controller',
  },
  {
    check: 'providers',
    when: 'the subscription is not registered for a provider',
    azure: { behaviours: { unregisteredProviders: ['Microsoft.Network'] } },
    run: 'az provider register --namespace Microsoft.Network --wait',
  },
  {
    check: 'providers',
    when: 'this Azure does not have a provider',
    azure: { behaviours: { missingProviders: ['Microsoft.Network'] } },
    run: 'az provider list --query "[].namespace" --output table',
  },
  {
    check: 'providers',
    when: 'the identity may not read providers',
    breaks: forbidden('Providers_Get'),
    run: 'az role assignment create --assignee CLIENT_ID --role "Reader" --scope SCOPE',
  },
  {
    check: 'region',
    when: 'there are no virtual machines in `LOCATION`',
    env: () => ({ LOCATION: 'nowhere' }),
    run: 'az aks show --query location, for --location',
  },
  {
    check: 'features',
    when: 'a feature that a class needs is not registered',
    azure: { behaviours: { missingFeatures: ['Microsoft.Compute/EncryptionAtHost'] } },
    given: () => withSpec({ security: { encryptionAtHost: true } }),
    run: 'az feature register --namespace Microsoft.Compute --name EncryptionAtHost && az provider register --namespace Microsoft.Compute',
  },
  {
    check: 'features',
    when: 'the identity may not read features',
    breaks: forbidden('Features_Get'),
    given: () => withSpec({ security: { encryptionAtHost: true } }),
    run: 'az role assignment create --assignee CLIENT_ID --role "Reader" --scope SCOPE',
  },
  {
    check: 'permissions',
    when: 'an action is not allowed',
    denied: 'Microsoft.Network/networkInterfaces/write',
    run: 'az role assignment create --assignee CLIENT_ID --role "Network Contributor" --scope SCOPE',
  },
  {
    check: 'permissions',
    when: 'what a class or an option names is not there',
    env: ({ arm }) => ({
      NODE_OSDISK_DISKENCRYPTIONSET_ID: arm.account.diskEncryptionSetId.replace('/resourceGroups/', '/resourceGroups/no'),
    }),
    run: 'az resource show --ids SCOPE',
  },
  {
    check: 'agent-pool',
    when: 'there is no such agent pool',
    azure: { variables: { PROVISION_MODE: 'aksmachineapi' } },
    env: () => ({ AKS_MACHINES_POOL_NAME: 'other' }),
    run: `az rest --method put --url 'SCOPE' --body '{"properties":{"mode":"Machines"}}'`,
  },
  {
    check: 'agent-pool',
    when: 'the identity may not read machines of the agent pool',
    azure: { variables: { PROVISION_MODE: 'aksmachineapi' } },
    breaks: forbidden('Machines_List'),
    run: 'az role assignment create --assignee CLIENT_ID --role "Reader" --scope SCOPE',
  },
  {
    check: 'subnets',
    when: 'a class names a subnet that is not there',
    given: (world) => withSpec({ vnetSubnetID: otherSubnet(world) }),
    run: 'az network vnet show --ids SCOPE --query subnets[].id',
  },
  {
    check: 'subnets',
    when: 'no node fits into a subnet',
    azure: { network: { vnet: 'own', subnets: { nodes: '10.0.0.0/28' } } },
    env: () => ({ NETWORK_PLUGIN_MODE: '', NETWORK_DATAPLANE: 'azure' }),
    run: 'az network vnet subnet create --resource-group GROUP --vnet-name own --name MORE --address-prefixes RANGE',
  },
  {
    check: 'subnets',
    when: 'the identity may not read the network',
    breaks: forbidden('VirtualNetworks_ListUsage'),
    run: 'az role assignment create --assignee CLIENT_ID --role "Reader" --scope SCOPE',
  },
  {
    check: 'quota',
    when: 'no size of the region meets a NodePool and its class',
    given: () => ({ nodePools: [ofSize('Standard_X99')] }),
    run: 'az vm list-skus --location eastus --resource-type virtualMachines --output table',
  },
  {
    check: 'quota',
    when: 'a NodePool has no size with quota',
    azure: { quotas: { families: { standardDSv3Family: 1 } } },
    given: () => ({ nodePools: [ofSize('Standard_D2s_v3')] }),
    run: 'az quota update --resource-name standardDSv3Family --scope SCOPE --limit-object value=NEW_LIMIT --resource-type dedicated',
  },
  {
    check: 'quota',
    when: 'the identity may not read quotas or sizes',
    denied: 'Microsoft.Compute/locations/usages/read',
    run: 'az role assignment create --assignee CLIENT_ID --role "Reader" --scope SCOPE',
  },
  {
    check: 'images',
    when: 'no image of a class is published',
    given: () => withSpec({ fipsMode: 'FIPS' }),
    run: 'kubectl edit aksnodeclass default, for another imageFamily or fipsMode',
  },
  {
    check: 'images',
    when: 'the identity may not read images',
    breaks: forbidden('CommunityGalleryImageVersions_List'),
    run: 'az role assignment create --assignee CLIENT_ID --role "Reader" --scope SCOPE',
  },
  {
    check: 'images',
    when: 'the server of `SIG_ACCESS_TOKEN_SERVER_URL` is not reached, or gives no token',
    env: ({ arm: { account } }) => ({
      ...{ USE_SIG: 'true', SIG_SUBSCRIPTION_ID: account.imageSubscriptionId, SIG_ACCESS_TOKEN_SERVER_URL: 'http://127.0.0.1:9/token' },
    }),
    run: 'curl http://127.0.0.1:9/token, in a pod beside the controller',
  },
];

/** Without what only this world has. */
const general = (remedy: string, { arm: { account, url } }: AzureWorld): string =>
  remedy
    .replaceAll(account.clientId, 'CLIENT_ID')
    .replaceAll(/(?<=--(?:nsg|route-table)-name )\S+-(nsg|routetable)/g, (_, kind: string) => (kind === 'nsg' ? 'NSG' : 'TABLE'))
    .replaceAll(account.nodeResourceGroup, 'GROUP')
    .replaceAll(account.clusterResourceGroup, 'GROUP')
    .replaceAll(url, 'URL')
    .replaceAll(/\/subscriptions\/[^\s']+/g, 'SCOPE')
    .replaceAll(/(?<=--subscription )\S+/g, 'SUBSCRIPTION');

describe('what preflight says to run', () => {
  test.each(failures)('when $when › $check fails, with the command', async ({ check, azure, env, denied, given, breaks, run }) => {
    await using world = await azureWorld(azure);
    breaks?.(world);
    if (denied !== undefined) world.arm.access.deny({ action: denied });
    const source = { nodePools: [aPool], nodeClasses: [aNodeClass()], kubernetesVersion: 'v1.33.4' };
    const report = await world.passing(preflight({ ...world.preflightSource(env?.(world)), ...source, ...given?.(world) }, signal));
    const failed = report.findings.flatMap((each) => (each.status === 'failed' ? [`${each.check}: ${general(each.remedy, world)}`] : []));
    expect(failed).toContain(`${check}: ${run}`);
    expect(report.isReady).toBe(false);
  });

  test('is what the page says', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../../docs/azure.md'), 'utf8');
    const rows = failures.map(({ check, when, run }) => `| \`${check}\` | ${when} | \`${run}\` |`);
    expect(page).toContain(`| Check | When | Run |\n|---|---|---|\n${rows.join('\n')}\n`);
  });
});
