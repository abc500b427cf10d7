import { jest, test } from '@jest/globals';
import { fuzzCases, mutationsOf, withinCaseTimeAsync } from '@karpenter/testkit';
import fc from 'fast-check';
import { ArmError } from '../arm/arm-error.ts';
import { type EgressApi, egressApi } from '../arm/egress-api.ts';
import { type SubscriptionApi, subscriptionApi } from '../arm/subscription-api.ts';
import { vmFactsOfVm } from '../machines/index.ts';
import { familyQuotaOf } from '../quota/index.ts';
import { groupProblem, reservationsOf } from '../reservations/index.ts';
import { skuOf } from '../skus/index.ts';
import { type AnsweringAzure, answeringAzure } from '../testing/answering-azure.ts';

// A million cases take longer than the tests of others.
jest.setTimeout(3_600_000);

const signal = new AbortController().signal;
const group = '/subscriptions/sub/resourceGroups/nodes/providers';
const subnetId = `${group}/Microsoft.Network/virtualNetworks/vnet/subnets/nodes`;
const ENCRYPTION_SET_ID = `${group}/Microsoft.Compute/diskEncryptionSets/set`;
const groupId = `${group}/Microsoft.Compute/capacityReservationGroups/kept`;
const vm = {
  ...{ id: `${group}/Microsoft.Compute/virtualMachines/aks-a`, name: 'aks-a', location: 'eastus', zones: ['1'], tags: { team: 'web' } },
  resources: [{ id: `${group}/Microsoft.Compute/virtualMachines/aks-a/extensions/billing` }],
  properties: {
    ...{ provisioningState: 'Succeeded', vmId: 'guid', priority: 'Spot', timeCreated: '2026-01-01T00:00:00Z' },
    hardwareProfile: { vmSize: 'Standard_D2s_v5' },
    storageProfile: {
      imageReference: { communityGalleryImageId: '/CommunityGalleries/a/images/b/versions/1' },
      osDisk: { diskSizeGB: 64 },
    },
    networkProfile: { networkInterfaces: [{ id: `${group}/Microsoft.Network/networkInterfaces/aks-a` }] },
  },
};
const nic = {
  ...{ id: `${group}/Microsoft.Network/networkInterfaces/aks-a`, name: 'aks-a', location: 'eastus', tags: { team: 'web' } },
  properties: {
    provisioningState: 'Succeeded',
    ipConfigurations: [{ name: 'a', properties: { primary: true, subnet: { id: subnetId } } }],
  },
};
const sku = {
  ...{ resourceType: 'virtualMachines', name: 'Standard_D2s_v5', size: 'D2s_v5', family: 'standardDSv5Family', locations: ['eastus'] },
  capabilities: [
    { name: 'vCPUs', value: '2' },
    { name: 'MemoryGB', value: '8' },
  ],
  locationInfo: [
    { location: 'eastus', zones: ['1'], zoneDetails: [{ name: ['1'], capabilities: [{ name: 'UltraSSDAvailable', value: 'True' }] }] },
  ],
  restrictions: [{ type: 'Zone', values: ['eastus'], restrictionInfo: { locations: ['eastus'], zones: ['2'] } }],
};
const reservations = {
  ...{ id: groupId, name: 'kept', location: 'eastus', value: [{ name: 'r', sku: { name: 'Standard_D2s_v5', capacity: 2 }, zones: ['1'] }] },
  properties: {
    instanceView: {
      capacityReservations: [{ name: 'r', utilizationInfo: { currentCapacity: 2, virtualMachinesAllocated: [{ id: vm.id }] } }],
    },
  },
};
const definition = { gallery: 'AKSUbuntu', name: '2204gen2containerd', requirements: [] } as const;

/** What Azure answers to a call before it is mutated, and what Karpenter does with the answer. */
type Calls = Readonly<Record<string, { readonly body: object; readonly read: (azure: AnsweringAzure) => Promise<unknown> }>>;

/** Calls about machines and what they are made from. */
const calls: Calls = {
  'a machine': {
    body: vm,
    read: async ({ api }) => [await api.getVm('aks-a', signal)].map((found) => found && vmFactsOfVm(found, 'eastus')),
  },
  machines: { body: { value: [vm, vm] }, read: async ({ api }) => (await api.listVms(signal)).map((each) => vmFactsOfVm(each, 'eastus')) },
  'an interface': { body: nic, read: ({ api }) => api.getNic('aks-a', signal) },
  disks: {
    body: { value: [{ name: 'd', properties: { timeCreated: '2026-01-01T00:00:00Z' } }] },
    read: ({ api }) => api.listLooseDisks(signal),
  },
  'load balancers': {
    body: { value: [{ name: 'kubernetes', properties: { backendAddressPools: [{ id: 'a' }] } }] },
    read: ({ api }) => api.listLoadBalancers(signal),
  },
  'security groups': { body: { value: [{ id: 'a', name: 'b' }] }, read: ({ api }) => api.listNetworkSecurityGroups(signal) },
  'a subnet': { body: { properties: { addressPrefixes: ['10.0.0.0/16'] } }, read: ({ api }) => api.subnetPrefixes(subnetId, signal) },
  'a network': { body: { properties: { resourceGuid: 'guid' } }, read: ({ api }) => api.vnetGuidOf(subnetId, signal) },
  'addresses in use': {
    body: { value: [{ id: subnetId, limit: 250, currentValue: 7 }] },
    read: ({ api }) => api.subnetSpaces(subnetId, signal),
  },
  'a reservation group': {
    body: reservations,
    read: async ({ api }) =>
      [await api.readReservationGroup(groupId, signal)].map(
        (found) => found && [groupProblem(found, 'eastus'), reservationsOf(groupId, found)],
      ),
  },
  sizes: { body: { value: [sku] }, read: async ({ api }) => (await api.listSkus(signal)).map((each) => skuOf(each, 'eastus')) },
  quota: {
    body: { value: [{ name: { value: 'cores' }, limit: 10, currentValue: 2, unit: 'Count' }] },
    read: async ({ api }) => familyQuotaOf(await api.listUsages(signal)),
  },
  'spot placement scores': {
    body: { placementScores: [{ sku: 'Standard_D4s_v5', region: 'eastus', availabilityZone: '1', score: 'High', isQuotaAvailable: true }] },
    read: ({ api }) => api.spotPlacementScores(['Standard_D4s_v5'], signal),
  },
  'image versions': {
    body: { value: [{ name: '202601.01.0', properties: { publishedDate: '2026-01-01T00:00:00Z' } }] },
    read: ({ api }) => api.listImageVersions(definition, signal),
  },
  'node images': {
    body: {
      value: [{ fullName: 'AKSUbuntu-2204gen2containerd-202601.01.0', os: 'AKSUbuntu', sku: '2204gen2containerd', version: '202601.01.0' }],
    },
    read: ({ api }) => api.listNodeImages(signal),
  },
  'rows of Resource Graph': {
    body: {
      totalRecords: 1,
      count: 1,
      resultTruncated: 'false',
      data: [{ id: vm.id, name: 'aks-a', tags: {}, properties: vm.properties, zones: ['1'] }],
    },
    read: ({ api }) => api.queryGraph('resources', signal),
  },
};

const subscription = ({ clients, clock }: AnsweringAzure): SubscriptionApi => subscriptionApi(clients, 'sub', clock);
const egress = ({ clients, clock }: AnsweringAzure): EgressApi => egressApi(clients, clock);
const rule = {
  name: 'out',
  properties: { access: 'Allow', direction: 'Outbound', protocol: '*', priority: 100, destinationAddressPrefix: 'Internet' },
};

/** Calls of preflight, and about the way out of the network. */
const surveys: Calls = {
  'a resource provider': {
    body: {
      ...{ namespace: 'Microsoft.Compute', registrationState: 'Registered' },
      resourceTypes: [
        {
          ...{ resourceType: 'virtualMachines', apiVersions: ['2025-04-01'], locations: ['East US'] },
          zoneMappings: [{ location: 'East US', zones: ['2', '1'] }],
        },
      ],
    },
    read: (azure) => subscription(azure).readProvider('Microsoft.Compute', signal),
  },
  'the state of a feature': {
    body: { properties: { state: 'Registered' } },
    read: (azure) => subscription(azure).featureState('Microsoft.Compute/EncryptionAtHost', signal),
  },
  permissions: {
    body: { value: [{ actions: ['Microsoft.Compute/*'], notActions: [] }] },
    read: (azure) => subscription(azure).permissionsOn(groupId, signal),
  },
  'the resources of a group': {
    body: { value: [{ id: vm.id, type: 'Microsoft.Compute/virtualMachines' }] },
    read: (azure) => subscription(azure).listResources('nodes', signal),
  },
  'the cluster of a group': {
    // One body for both calls.
    body: {
      ...{ name: 'nodes', managedBy: '/subscriptions/sub/resourceGroups/rg/providers/Microsoft.ContainerService/managedClusters/main' },
      properties: { networkProfile: { outboundType: 'loadBalancer' }, apiServerAccessProfile: { enablePrivateCluster: true } },
    },
    read: (azure) => egress(azure).clusterOutbound('nodes', signal),
  },
  'the way out of a subnet': {
    body: {
      properties: { addressPrefixes: ['10.0.0.0/16'], networkSecurityGroup: { id: 'nsg' }, routeTable: { id: 'routes' }, natGateway: null },
    },
    read: (azure) => egress(azure).subnet(subnetId, signal),
  },
  'rules of a security group': {
    body: { properties: { securityRules: [rule], defaultSecurityRules: [rule] } },
    read: (azure) => egress(azure).securityRules(groupId, signal),
  },
  'a route table': {
    body: {
      properties: {
        disableBgpRoutePropagation: true,
        routes: [{ name: 'a', properties: { addressPrefix: '0.0.0.0/0', nextHopType: 'None' } }],
      },
    },
    read: (azure) => egress(azure).routeTable(groupId, signal),
  },
  'a disk encryption set': { body: { id: 'set', name: 'set' }, read: ({ api }) => api.hasDiskEncryptionSet(ENCRYPTION_SET_ID, signal) },
  'an extension': {
    body: { name: 'billing', location: 'eastus', tags: { team: 'web' }, properties: { provisioningState: 'Succeeded', type: 'x' } },
    read: async ({ api }) => [await api.getExtension('aks-a', 'billing', signal), await api.extensionState('aks-a', 'billing', signal)],
  },
};

const reads: Calls = { ...calls, ...surveys };

test.each(Object.entries(reads))('the answer of Azure to a call for %s is read, or becomes an ArmError', async (_, { body, read }) => {
  const azure = answeringAzure();
  azure.answer = () => ({ body });
  await read(azure);
  await fc.assert(
    fc.asyncProperty(mutationsOf(body), async (mutated) => {
      azure.answer = () => ({ body: mutated });
      try {
        await withinCaseTimeAsync(() => read(azure));
      } catch (error) {
        if (!(error instanceof ArmError)) throw error;
      }
    }),
    fuzzCases(0.4),
  );
});
