import { readFileSync } from 'node:fs';
import { describe, expect, jest, test } from '@jest/globals';
import { labels, type NodeClaim, nodeClaimConditions, type RequirementSpec } from '@karpenter/core';
import { type ArmEmulator, EVERY_BEHAVIOUR, type LoggedRequest } from '@karpenter/azure-emulator';
import { type AKSNodeClass, aksLabels, azureLabels } from '../apis/index.ts';
import { aClaim, D2, onDemand } from '../testing/a-claim.ts';
import { aNodeClass, type AzureWorld, azureWorld, resolveClasses, type WorldOptions, unendingCall } from '../testing/azure-world.ts';
import type { NamedObject } from '../testing/fake-cluster.ts';
import type { AzureProvider } from '../plugin/create-azure-provider.ts';

// Real HTTP on a busy machine takes its time.
jest.setTimeout(60_000);
const goldenRequests = (name: string): unknown => JSON.parse(readFileSync(new URL(`./__golden__/${name}.json`, import.meta.url), 'utf8'));

/** Custom data has golden files of its own. */
const withoutCustomData = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body ?? null), (key, value: unknown) => (key === 'customData' ? '(see bootstrap)' : value));

/** Headers on which it depends what a write does. */
const tellingHeaders = (headers: LoggedRequest['headers']): Readonly<Record<string, unknown>> => {
  const { 'if-none-match': ifNoneMatch, 'if-match': ifMatch, batchputmachine: batch } = headers;
  return {
    ...(ifMatch !== undefined && { 'if-match': ifMatch }),
    ...(ifNoneMatch !== undefined && { 'if-none-match': ifNoneMatch }),
    ...(batch !== undefined && { batchputmachine: JSON.parse(batch) as unknown }),
  };
};

/** A write as it went over the wire, with its ids shortened to the part that differs. */
const written = ({ operation, path, query, headers, body }: LoggedRequest, { arm }: AzureWorld): unknown => {
  const { 'api-version': _version, ...rest } = query;
  const shown = { operation, path, ...(Object.keys(rest).length > 0 && { query: rest }), body: withoutCustomData(body) };
  const text = JSON.stringify({ ...shown, ...tellingHeaders(headers) });
  const { subscriptionId, imageSubscriptionId, nodeResourceGroup, clusterResourceGroup } = arm.account;
  const short = text.replaceAll(subscriptionId, 'SUBSCRIPTION').replaceAll(imageSubscriptionId, 'IMAGES');
  return JSON.parse(short.replaceAll(nodeResourceGroup, 'NODES').replaceAll(clusterResourceGroup, 'CLUSTER'));
};

/** A read that configures a node, and a deletion that is a POST. */
const TELLING = new Set(['NodeBootstrapping_Get', 'AgentPools_DeleteMachines']);

const writesOf = (world: AzureWorld): readonly unknown[] =>
  world.arm.requests
    .all()
    .filter(({ method, operation }) => method === 'PUT' || method === 'PATCH' || method === 'DELETE' || TELLING.has(operation))
    .map((request) => written(request, world));

/** What the emulator found no such body, or no such api-version: it holds both to what Azure publishes. */
const malformed = (world: AzureWorld): readonly string[] =>
  world.arm.requests
    .all()
    .filter(({ status }) => status === 400)
    .map(({ operation }) => operation);

interface Scenario {
  readonly world?: WorldOptions;
  /** Environment variables that name what the account has. */
  readonly variables?: (arm: ArmEmulator) => Readonly<Record<string, string>>;
  readonly spec?: AKSNodeClass['spec'];
  /** What of it names something of the account. */
  readonly specOf?: (arm: ArmEmulator) => AKSNodeClass['spec'];
  readonly requirements?: readonly RequirementSpec[];
}

const launchScenario = async (
  world: AzureWorld,
  { spec = {}, specOf, requirements = [D2, onDemand], variables }: Scenario,
): Promise<AzureProvider> => {
  world.cluster.put({ ...aNodeClass(), spec: { ...aNodeClass().spec, ...spec, ...specOf?.(world.arm) } } as AKSNodeClass & NamedObject);
  const azure = await world.provider(variables?.(world.arm));
  await world.passing(resolveClasses(azure, world.cluster));
  const claim = aClaim('general-x7k2p', ...requirements);
  const machine = await world.passing(azure.provider.create(claim, unendingCall));
  await world.passing(azure.idle());
  const conditions = [{ type: nodeClaimConditions.registered, status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }];
  const metadata = { ...claim.metadata, annotations: { ...machine.annotations } };
  world.cluster.put({ ...claim, metadata, status: { providerID: machine.providerId, conditions } } as NodeClaim & NamedObject);
  return azure;
};

/** What only the services of AKS apply. */
const everySetting: AKSNodeClass['spec'] = {
  maxPods: 60,
  kubelet: { cpuManagerPolicy: 'static', containerLogMaxSize: '20Mi', failSwapOn: false, podPidsLimit: 4096 },
  linuxOSConfig: { swapFileSize: '1Gi', transparentHugePageEnabled: 'madvise', sysctls: { netIPv4TCPFinTimeout: 30, vmSwappiness: 10 } },
  artifactStreaming: { enabled: true },
};

type LocalDns = NonNullable<NonNullable<AKSNodeClass['spec']>['localDNS']>;

const inZone = (zone: string): NonNullable<LocalDns['kubeDNSOverrides']>[number] => ({
  ...{ zone, queryLogging: 'Error', protocol: 'PreferUDP', forwardDestination: 'ClusterCoreDNS', forwardPolicy: 'Sequential' },
  ...{ maxConcurrent: 1000, cacheDuration: '1h', serveStaleDuration: '1h', serveStale: 'Immediate' },
});
const localDNS: LocalDns = {
  mode: 'Required',
  vnetDNSOverrides: [{ ...inZone('.'), forwardDestination: 'VnetDNS' }, inZone('cluster.local')],
  kubeDNSOverrides: [inZone('.'), inZone('cluster.local')],
};

/** Images of the shared galleries, and disks that are encrypted with a key of the user. */
const withOwnKey: Scenario['variables'] = ({ account, auxiliaryTokensUrl }) => ({
  NODE_OSDISK_DISKENCRYPTIONSET_ID: account.diskEncryptionSetId,
  ...{ USE_SIG: 'true', SIG_SUBSCRIPTION_ID: account.imageSubscriptionId, SIG_ACCESS_TOKEN_SERVER_URL: auxiliaryTokensUrl },
});

const oneOf = (key: string, ...values: readonly string[]): RequirementSpec => ({ key, operator: 'In', values });
const sizeIs = (name: string): RequirementSpec => oneOf(labels.instanceType, name);

describe('what is written to Azure', () => {
  test.each<[name: string, scenario: Scenario]>([
    ['on-demand-in-a-zone', { world: { cloud: 'AzurePublicCloud' } }],
    [
      'spot-anywhere-in-the-region',
      { requirements: [D2, oneOf(labels.capacityType, 'spot'), oneOf(azureLabels.placementScope, 'regional')] },
    ],
    ['spot-up-to-a-price', { world: { variables: { SPOT_MAX_PRICE: '0.05' } }, requirements: [D2, oneOf(labels.capacityType, 'spot')] }],
    [
      'ephemeral-disk-trusted-launch-encrypted',
      {
        spec: { osDiskSizeGB: 64, security: { encryptionAtHost: true, trustedLaunch: { vtpm: true, secureBoot: true } } },
        requirements: [sizeIs('Standard_D8s_v3'), onDemand],
      },
    ],
    [
      'own-network-with-pod-addresses',
      {
        world: {
          network: { vnet: 'own', subnets: { nodes: '10.1.0.0/16' } },
          variables: { NETWORK_PLUGIN: 'azure', NETWORK_PLUGIN_MODE: '' },
        },
        spec: { maxPods: 12 },
      },
    ],
    ['user-data-by-the-service', { world: { variables: { PROVISION_MODE: 'bootstrappingclient' } }, spec: everySetting }],
    ['a-machine-of-an-agent-pool', { world: { variables: { PROVISION_MODE: 'aksmachineapi' } }, spec: everySetting }],
    [
      'with-the-key-of-its-class-close-to-others',
      {
        world: { reserved: [{ group: 'kept', name: 'd2', size: 'Standard_D2s_v3', zone: '2', quantity: 1 }] },
        specOf: ({ account }) => ({
          diskEncryptionSetID: account.diskEncryptionSetId,
          proximityPlacementGroupID: account.proximityPlacementGroupId,
        }),
        requirements: [D2, oneOf(labels.capacityType, 'reserved', 'on-demand')],
      },
    ],
    [
      'a-machine-of-an-agent-pool-with-a-pod-subnet',
      {
        world: {
          network: { vnet: 'own', subnets: { nodes: '10.1.0.0/16', pods: '10.2.0.0/16' } },
          variables: { PROVISION_MODE: 'aksmachineapi', NETWORK_PLUGIN: 'azure', NETWORK_PLUGIN_MODE: '' },
        },
        specOf: ({ account }) => ({ podSubnetID: account.subnetId.replace(/nodes$/, 'pods') }),
      },
    ],
    [
      'out-of-a-capacity-reservation',
      {
        world: { reserved: [{ group: 'kept', name: 'd2', size: 'Standard_D2s_v3', zone: '2', quantity: 1 }] },
        requirements: [oneOf(labels.capacityType, 'reserved')],
      },
    ],
    ['shared-image-and-own-key', { variables: withOwnKey, spec: { imageFamily: 'AzureLinux', fipsMode: 'FIPS' } }],
    [
      'a-spot-gpu-machine-of-an-agent-pool',
      {
        world: { variables: { PROVISION_MODE: 'aksmachineapi', SPOT_MAX_PRICE: '1.2' } },
        spec: { osDiskSizeGB: 100, security: { encryptionAtHost: true, trustedLaunch: { vtpm: true, secureBoot: true } }, localDNS },
        requirements: [sizeIs('Standard_NC16as_T4_v3'), oneOf(labels.capacityType, 'spot'), oneOf(aksLabels.mode, 'system')],
      },
    ],
    ['ultra-disks', { requirements: [sizeIs('Standard_D4s_v5'), onDemand, oneOf(azureLabels.skuUltraSSD, 'true')] }],
  ])('for a machine: %s', async (name, scenario) => {
    await using world = await azureWorld(scenario.world);
    await launchScenario(world, scenario);
    expect(writesOf(world)).toEqual(goldenRequests(name));
    expect(malformed(world)).toEqual([]);
  });

  test('for machines of an agent pool in one request', async () => {
    await using world = await azureWorld({ variables: { PROVISION_MODE: 'aksmachineapiheaderbatch' } });
    const azure = await world.provider();
    // Nobody can have asked for a claim that is new: it is launched at once, so that they go in this order.
    const aNewClaim = (claimName: string, zone: string): NodeClaim => {
      const claim = aClaim(claimName, D2, onDemand, oneOf(labels.zone, zone));
      return { ...claim, metadata: { ...claim.metadata, creationTimestamp: new Date(world.clock.now()).toISOString() } };
    };
    const claims = [aNewClaim('general-x7k2p', 'eastus-1'), aNewClaim('general-b2c3d', 'eastus-3')];
    await world.passing(Promise.all(claims.map((claim) => azure.provider.create(claim, unendingCall))));
    await world.passing(azure.idle());
    expect(writesOf(world)).toEqual(goldenRequests('machines-of-an-agent-pool-together'));
    expect(malformed(world)).toEqual([]);
  });

  test.each<[mode: string, file: string]>([
    ['aksscriptless', 'new-tags-and-the-end'],
    ['bootstrappingclient', 'new-tags-and-the-end-with-a-script'],
    ['aksmachineapi', 'new-tags-and-the-end-in-an-agent-pool'],
  ])('for new tags, and for the end of a machine: %s', async (mode, file) => {
    const behaviours = { ...EVERY_BEHAVIOUR, movingETags: false, networkWrites: undefined };
    await using world = await azureWorld({ cloud: 'AzurePublicCloud', variables: { PROVISION_MODE: mode }, behaviours });
    const azure = await launchScenario(world, {});
    await world.clock.advance(10_000);
    world.arm.requests.clear();
    world.cluster.put({ ...world.cluster.nodeClass(), spec: { ...aNodeClass().spec, tags: { owner: 'search' } } } as AKSNodeClass &
      NamedObject);
    await world.passing(resolveClasses(azure, world.cluster));
    await world.clock.advance(10_000);
    await world.passing(azure.provider.delete(aClaim('general-x7k2p'), unendingCall));
    expect(writesOf(world)).toEqual(goldenRequests(file));
    expect(malformed(world)).toEqual([]);
  });
});
