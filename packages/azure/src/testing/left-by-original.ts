import { type NodeClaim, nodeClaimConditions } from '@karpenter/core';
import { azureAnnotations } from '../apis/index.ts';
import { agentPoolLine } from '../arm/aks-machines/agent-pool-line.ts';
import { armClients } from '../arm/arm-clients.ts';
import { createArmApi } from '../arm/create-arm-api.ts';
import { credentialOf } from '../arm/sign-in/credential.ts';
import {
  BILLING_EXTENSION,
  billingExtensionOf,
  nicBodyOf,
  nicIdOf,
  SCRIPT_EXTENSION,
  scriptExtensionOf,
  vmBodyOf,
} from '../machines/index.ts';
import { aClaim } from './a-claim.ts';
import type { AzureWorld } from './azure-world.ts';
import type { NamedObject } from './fake-cluster.ts';

const { signal } = new AbortController();
const IMAGE = '/CommunityGalleries/AKSUbuntu-38d80f77-467a-481f-a8d4-09b6d4220bd2/images/2204gen2containerd/versions/202611.03.0';
const NODE_IMAGE = 'AKSUbuntu-2204gen2containerd-202611.03.0';

/** What the original writes on everything that it makes for the class and the pool of these tests. */
const tags = {
  'karpenter.azure.com_cluster': 'demo',
  'compute.aks.billing': 'linux',
  'karpenter.sh_nodepool': 'general',
  team: 'web/shop',
};
/** Its hash of them, by a Go program of its formula. */
export const ORIGINALS_HASH = '3915855355';
/** Its version of the hash of a class; the value is opaque here. */
const STAMPED = { [azureAnnotations.nodeClassHash]: '11843', [azureAnnotations.nodeClassHashVersion]: 'v3' };

const apiOf = ({ arm, clock }: AzureWorld) => {
  const environment = { ...arm.environmentFile(), hasBillingExtension: true };
  const { clientId, clientSecret, tenantId, subscriptionId } = arm.account;
  const variables = { AZURE_CLIENT_ID: clientId, AZURE_CLIENT_SECRET: clientSecret };
  const credential = credentialOf({ environment, tenantId, variables, caPem: arm.caPem });
  const clients = armClients({ environment, subscriptionId, credential, clock, caPem: arm.caPem });
  return { clients, api: createArmApi(clients, { ...arm.account, retailPricesUrl: undefined }, clock) };
};

interface Made {
  readonly providerId: string;
  readonly imageId: string;
  readonly annotations: Readonly<Record<string, string>>;
}

const claimed = (world: AzureWorld, name: string, { providerId, imageId, annotations }: Made): NodeClaim => {
  const claim = aClaim(name);
  const conditions = [{ type: nodeClaimConditions.registered, status: 'True' as const, lastTransitionTime: '2026-01-01T00:00:00Z' }];
  const left: NodeClaim & NamedObject = {
    ...claim,
    metadata: { ...claim.metadata, annotations: { ...STAMPED, [azureAnnotations.inPlaceUpdateHash]: ORIGINALS_HASH, ...annotations } },
    status: { providerID: providerId, imageID: imageId, conditions },
  };
  world.cluster.put(left);
  return left;
};

/**
 * A machine as the original's modes with VMs leave it: interface, VM, disk, extensions, claim. `hasScript`: by
 * `bootstrappingclient`.
 */
export const vmOfOriginal = async (world: AzureWorld, name: string, { hasScript = false } = {}): Promise<NodeClaim> => {
  const { arm } = world;
  const { api } = apiOf(world);
  const { account } = arm;
  const [machine, location] = [`aks-${name}`, account.location];
  const nic = nicBodyOf({
    ...{
      name: machine,
      location,
      tags,
      subnetId: account.subnetId,
      backendPools: { ipv4: account.backendPoolIds, ipv6: [] },
      isDualStack: false,
    },
    ...{ isAccelerated: true, networkSecurityGroupId: account.networkSecurityGroupId, podAddresses: 0 },
  });
  await world.passing(api.putNic(machine, nic, signal));
  const vm = vmBodyOf({
    ...{ name: machine, location, tags, size: 'Standard_D2s_v3', zone: '1', isSpot: false, spotMaxPricePerHour: undefined, imageId: IMAGE },
    ...{ osDiskSizeGB: 128, ephemeral: undefined, diskEncryptionSetId: undefined, nicId: nicIdOf(account, machine) },
    ...{ identityIds: [], adminUsername: 'azureuser', sshPublicKey: 'ssh-rsa AAAA', customData: 'aGVsbG8=', security: undefined },
    ...{ hasUltraSsd: false, capacityReservationGroupId: undefined, proximityPlacementGroupId: undefined },
  });
  await world.passing(api.putVm(machine, vm, signal));
  await world.passing(api.vmMade(machine, signal));
  if (hasScript) {
    const script = { name: SCRIPT_EXTENSION, body: scriptExtensionOf({ location, tags }, 'true') };
    await world.passing(api.putExtension(machine, script, signal));
    await world.passing(api.extensionDone(machine, SCRIPT_EXTENSION, signal));
  }
  await world.passing(api.putExtension(machine, { name: BILLING_EXTENSION, body: billingExtensionOf({ location, tags }) }, signal));
  await world.clock.advance(30_000);
  const providerId = arm.vms().find((each) => each.name === machine)?.providerId ?? '';
  return claimed(world, name, { providerId, imageId: IMAGE, annotations: {} });
};

/** A machine of an agent pool as the original leaves it; `machineName` is the name that it gives to the claim's machine. */
export const poolMachineOfOriginal = async (world: AzureWorld, name: string, machineName: string): Promise<NodeClaim> => {
  const { arm, clock } = world;
  const { clients } = apiOf(world);
  const { subscriptionId, clusterResourceGroup, clusterName, machinesPoolName: poolName } = arm.account;
  const line = agentPoolLine(clients, { subscriptionId, clusterResourceGroup, clusterName, poolName }, clock);
  const body = {
    zones: ['1'],
    properties: {
      nodeImageVersion: NODE_IMAGE,
      hardware: { vmSize: 'Standard_D2s_v3' },
      operatingSystem: { osType: 'Linux', osSKU: 'Ubuntu2204', osDiskSizeGB: 128, osDiskType: 'Managed', enableFIPS: false },
      kubernetes: { nodeLabels: {}, orchestratorVersion: '1.33.4', nodeInitializationTaints: [], nodeTaints: [], maxPods: 250 },
      mode: 'User',
      security: { sshAccess: 'LocalUser' },
      priority: 'Regular',
      tags: { ...tags, 'karpenter.azure.com_aksmachine_nodeclaim': name },
    },
  };
  await world.passing(line.send({ method: 'PUT', url: line.at(`machines/${machineName}`), body }, signal));
  await world.clock.advance(60_000);
  const vm = arm.vms().find((each) => each.name.includes(machineName));
  const id =
    `/subscriptions/${subscriptionId}/resourceGroups/${clusterResourceGroup}/providers/Microsoft.ContainerService` +
    `/managedClusters/${clusterName}/agentPools/${poolName}/machines/${machineName}`;
  return claimed(world, name, {
    providerId: vm?.providerId ?? '',
    imageId: NODE_IMAGE,
    annotations: { [azureAnnotations.aksMachineId]: id },
  });
};
