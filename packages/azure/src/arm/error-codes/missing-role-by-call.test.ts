import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { fakeClock } from '@karpenter/runtime';
import { type ArmEmulator, startArmEmulator } from '@karpenter/azure-emulator';
import type { ImageDefinition } from '../../images/index.ts';
import type { ArmApi } from '../arm-api.ts';
import { armClients } from '../arm-clients.ts';
import { cloudProviderErrorOf } from './cloud-provider-error-of.ts';
import { createArmApi } from '../create-arm-api.ts';
import { credentialOf } from '../sign-in/credential.ts';
import { ArmError } from '../arm-error.ts';

// Real HTTP on a busy machine takes its time.
jest.setTimeout(60_000);

const { signal } = new AbortController();
let emulator: ArmEmulator;
let arm: ArmApi;

beforeAll(async () => {
  const clock = fakeClock();
  emulator = await startArmEmulator({ clock });
  const environment = { ...emulator.environmentFile(), hasBillingExtension: true };
  const { clientId, clientSecret, tenantId, subscriptionId, nodeResourceGroup, location } = emulator.account;
  const variables = { AZURE_CLIENT_ID: clientId, AZURE_CLIENT_SECRET: clientSecret };
  const { caPem } = emulator;
  const credential = credentialOf({ environment, tenantId, variables, caPem });
  const clients = armClients({ environment, subscriptionId, credential, clock, caPem });
  arm = createArmApi(clients, { subscriptionId, nodeResourceGroup, location, retailPricesUrl: undefined, caPem }, clock);
});
afterAll(() => emulator.close());

const image: ImageDefinition = { gallery: 'AKSUbuntu', name: '2204gen2containerd', requirements: [] };
const extension = { name: 'computeAksLinuxBilling', body: { location: 'eastus' }, tags: {} };
const nodes = (): string => `/subscriptions/${emulator.account.subscriptionId}/resourceGroups/${emulator.account.nodeResourceGroup}`;
const subscription = (): string => `/subscriptions/${emulator.account.subscriptionId}`;
const subnetOfAccount = (): string => emulator.account.subnetId;
const network = (): string => emulator.account.subnetId.replace(/\/subnets\/.*/, '');
const set = (): string => emulator.account.diskEncryptionSetId;

/** ARM's own words where an action is missing, or a link to another resource. */
const WORDS = {
  over: (action: string, scope: string) => ({
    code: 'AuthorizationFailed',
    message: `The client 'c' with object id 'o' does not have authorization to perform action '${action}' over scope '${scope}' or the scope is invalid. If access was recently granted, please refresh your credentials.`,
  }),
  linked: (action: string, scope: string) => ({
    code: 'LinkedAuthorizationFailed',
    message: `The client 'c' with object id 'o' has permission to perform action 'Microsoft.Any/thing/write' on scope '${nodes()}'; however, it does not have permission to perform action '${action}' on the linked scope(s) '${scope}' or the linked scope(s) are invalid.`,
  }),
} as const;

interface Denied {
  readonly operation: string;
  readonly action: string;
  readonly scope: () => string;
  readonly role: string;
  readonly words?: keyof typeof WORDS;
}

type Row = readonly [what: string, denied: Denied, call: (api: ArmApi) => Promise<unknown>];

const VMS = { scope: nodes, role: 'Virtual Machine Contributor' };
const NETWORK = { scope: nodes, role: 'Network Contributor' };
const READER = { scope: subscription, role: 'Reader' };
const putVm = (api: ArmApi) => api.putVm('aks-a', { location: 'eastus' }, signal);
const putNic = (api: ArmApi) => api.putNic('aks-a', { location: 'eastus' }, signal);

/** Each kind of call that the provider makes. */
const CALLS: readonly Row[] = [
  ['making a machine', { operation: 'VirtualMachines_CreateOrUpdate', action: 'Microsoft.Compute/virtualMachines/write', ...VMS }, putVm],
  [
    'giving a machine its interface',
    { operation: 'VirtualMachines_CreateOrUpdate', action: 'Microsoft.Network/networkInterfaces/join/action', words: 'linked', ...NETWORK },
    putVm,
  ],
  [
    'giving a machine an identity',
    {
      operation: 'VirtualMachines_CreateOrUpdate',
      action: 'Microsoft.ManagedIdentity/userAssignedIdentities/assign/action',
      words: 'linked',
      scope: () => emulator.account.kubeletIdentityId,
      role: 'Managed Identity Operator',
    },
    putVm,
  ],
  [
    'making a machine of an image in a shared gallery',
    {
      operation: 'VirtualMachines_CreateOrUpdate',
      action: 'Microsoft.Compute/galleries/images/versions/read',
      words: 'linked',
      ...READER,
    },
    putVm,
  ],
  [
    'encrypting the disk of a machine',
    {
      operation: 'VirtualMachines_CreateOrUpdate',
      action: 'Microsoft.Compute/diskEncryptionSets/read',
      words: 'linked',
      scope: set,
      role: 'Reader',
    },
    putVm,
  ],
  [
    'reading a machine',
    { operation: 'VirtualMachines_Get', action: 'Microsoft.Compute/virtualMachines/read', ...VMS },
    (api) => api.getVm('aks-a', signal),
  ],
  [
    'listing machines',
    { operation: 'VirtualMachines_List', action: 'Microsoft.Compute/virtualMachines/read', ...VMS },
    (api) => api.listVms(signal),
  ],
  [
    'changing a machine',
    { operation: 'VirtualMachines_Update', action: 'Microsoft.Compute/virtualMachines/write', ...VMS },
    (api) => api.updateVm('aks-a', { tags: {} }, signal),
  ],
  [
    'deleting a machine',
    { operation: 'VirtualMachines_Delete', action: 'Microsoft.Compute/virtualMachines/delete', ...VMS },
    (api) => api.deleteVm('aks-a', signal),
  ],
  [
    'giving a machine an extension',
    { operation: 'VirtualMachineExtensions_CreateOrUpdate', action: 'Microsoft.Compute/virtualMachines/extensions/write', ...VMS },
    (api) => api.putExtension('aks-a', extension, signal),
  ],
  [
    'tagging an extension',
    { operation: 'VirtualMachineExtensions_Update', action: 'Microsoft.Compute/virtualMachines/extensions/write', ...VMS },
    (api) => api.tagExtension('aks-a', extension, signal),
  ],
  [
    'making an interface',
    { operation: 'NetworkInterfaces_CreateOrUpdate', action: 'Microsoft.Network/networkInterfaces/write', ...NETWORK },
    putNic,
  ],
  [
    'joining a subnet',
    {
      operation: 'NetworkInterfaces_CreateOrUpdate',
      action: 'Microsoft.Network/virtualNetworks/subnets/join/action',
      words: 'linked',
      scope: subnetOfAccount,
      role: 'Network Contributor',
    },
    putNic,
  ],
  [
    'joining a pool of the load balancer',
    {
      operation: 'NetworkInterfaces_CreateOrUpdate',
      action: 'Microsoft.Network/loadBalancers/backendAddressPools/join/action',
      words: 'linked',
      ...NETWORK,
    },
    putNic,
  ],
  [
    'reading an interface',
    { operation: 'NetworkInterfaces_Get', action: 'Microsoft.Network/networkInterfaces/read', ...NETWORK },
    (api) => api.getNic('aks-a', signal),
  ],
  [
    'tagging an interface',
    { operation: 'NetworkInterfaces_UpdateTags', action: 'Microsoft.Network/networkInterfaces/write', ...NETWORK },
    (api) => api.tagNic('aks-a', {}, signal),
  ],
  [
    'deleting an interface',
    { operation: 'NetworkInterfaces_Delete', action: 'Microsoft.Network/networkInterfaces/delete', ...NETWORK },
    (api) => api.deleteNic('aks-a', signal),
  ],
  [
    'listing disks',
    { operation: 'Disks_ListByResourceGroup', action: 'Microsoft.Compute/disks/read', ...VMS },
    (api) => api.listLooseDisks(signal),
  ],
  [
    'deleting a disk',
    { operation: 'Disks_Delete', action: 'Microsoft.Compute/disks/delete', ...VMS },
    (api) => api.deleteDisk('aks-a', signal),
  ],
  [
    'reading a disk encryption set',
    { operation: 'DiskEncryptionSets_Get', action: 'Microsoft.Compute/diskEncryptionSets/read', scope: set, role: 'Reader' },
    (api) => api.hasDiskEncryptionSet(set(), signal),
  ],
  [
    'listing load balancers',
    { operation: 'LoadBalancers_List', action: 'Microsoft.Network/loadBalancers/read', ...NETWORK },
    (api) => api.listLoadBalancers(signal),
  ],
  [
    'listing security groups',
    { operation: 'NetworkSecurityGroups_List', action: 'Microsoft.Network/networkSecurityGroups/read', ...NETWORK },
    (api) => api.listNetworkSecurityGroups(signal),
  ],
  [
    'reading a subnet',
    {
      operation: 'Subnets_Get',
      action: 'Microsoft.Network/virtualNetworks/subnets/read',
      scope: subnetOfAccount,
      role: 'Network Contributor',
    },
    (api) => api.subnetPrefixes(subnetOfAccount(), signal),
  ],
  [
    'reading a network',
    { operation: 'VirtualNetworks_Get', action: 'Microsoft.Network/virtualNetworks/read', scope: network, role: 'Network Contributor' },
    (api) => api.vnetGuidOf(subnetOfAccount(), signal),
  ],
  ['listing sizes', { operation: 'ResourceSkus_List', action: 'Microsoft.Compute/skus/read', ...READER }, (api) => api.listSkus(signal)],
  [
    'reading quota',
    { operation: 'Usage_List', action: 'Microsoft.Compute/locations/usages/read', ...READER },
    (api) => api.listUsages(signal),
  ],
  [
    'listing images of the community',
    {
      operation: 'CommunityGalleryImageVersions_List',
      action: 'Microsoft.Compute/locations/communityGalleries/images/versions/read',
      ...READER,
    },
    (api) => api.listImageVersions(image, signal),
  ],
  [
    'listing images of AKS',
    { operation: 'NodeImageVersions_List', action: 'Microsoft.ContainerService/locations/nodeImageVersions/read', ...READER },
    (api) => api.listNodeImages(signal),
  ],
  [
    'asking Resource Graph',
    { operation: 'Resources_Query', action: 'Microsoft.ResourceGraph/resources/read', ...READER },
    (api) => api.queryGraph('Resources', signal),
  ],
];

const failureOf = async (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('an error of a call that Azure forbids names the missing role and its scope', () => {
  test.each(CALLS)('%s', async (_, { operation, action, scope, role, words = 'over' }, call) => {
    const refusal = { status: 403, error: WORDS[words](action, scope()) };
    using _fault = emulator.faults.add({ operation, effect: { kind: 'refuse', refusal } });
    const error = await failureOf(call(arm));
    if (!(error instanceof ArmError)) throw new Error('nothing was forbidden');
    const sentence = `give the identity of the controller the role "${role}" on ${scope()}: it may not do ${action} there`;
    expect({ code: error.code, status: error.status, message: error.message }).toEqual({
      code: 'forbidden',
      status: 403,
      message: sentence,
    });
    expect(cloudProviderErrorOf(error)).toMatchObject({ code: 'forbidden', reason: 'Forbidden', message: sentence });
  });

  test('and no forbidden call is retried at once', () => {
    expect(emulator.requests.all().filter(({ status }) => status === 403)).toHaveLength(CALLS.length);
  });
});
