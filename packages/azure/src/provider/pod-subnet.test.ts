import { expect, jest, test } from '@jest/globals';
import { decodeBootstrap } from '@karpenter/azure-emulator';
import type { AKSNodeClass } from '../apis/index.ts';
import { aClaim } from '../testing/a-claim.ts';
import { aNodeClass, azureWorld, resolveClasses, unendingCall } from '../testing/azure-world.ts';
import type { NamedObject } from '../testing/fake-cluster.ts';

// Real HTTP on a busy machine takes its time.
jest.setTimeout(60_000);
const network = { vnet: 'own', subnets: { nodes: '10.1.0.0/28', pods: '10.2.0.0/16' } };

test('a machine of a class with a pod subnet takes one address, and its node names the subnet for AKS', async () => {
  await using world = await azureWorld({ network, variables: { NETWORK_PLUGIN_MODE: '', NETWORK_DATAPLANE: 'azure' } });
  const azure = await world.provider();
  const { account } = world.arm;
  const podSubnetID = account.subnetId.replace(/nodes$/, 'pods');
  const nodeClass = aNodeClass();
  const own: AKSNodeClass & NamedObject = { ...nodeClass, spec: { ...nodeClass.spec, podSubnetID } };
  world.cluster.put(own);
  await world.passing(resolveClasses(azure, world.cluster));
  await world.passing(azure.provider.create(aClaim('general-x7k2p'), unendingCall));
  expect(world.arm.nics().map(({ privateIpAddresses }) => privateIpAddresses)).toEqual([['10.1.0.4']]);
  const [vm] = world.arm.vms();
  const { labels } = decodeBootstrap(vm?.osProfile.customData ?? '');
  const ofPods = Object.entries(labels).filter(([key]) => key.startsWith('kubernetes.azure.com/podnetwork-'));
  expect(Object.fromEntries(ofPods)).toEqual({
    'kubernetes.azure.com/podnetwork-type': 'vnet',
    'kubernetes.azure.com/podnetwork-subscription': account.subscriptionId,
    'kubernetes.azure.com/podnetwork-resourcegroup': account.clusterResourceGroup,
    'kubernetes.azure.com/podnetwork-name': 'own',
    'kubernetes.azure.com/podnetwork-subnet': 'pods',
    'kubernetes.azure.com/podnetwork-delegationguid': account.vnetGuid,
  });
  expect(labels['kubernetes.azure.com/nodenetwork-vnetguid']).toBe(account.vnetGuid);
  expect(Buffer.from(vm?.osProfile.customData ?? '', 'base64').toString()).toContain("NETWORK_PLUGIN='none'");
});
