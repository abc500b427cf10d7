import { describe, expect, jest, test } from '@jest/globals';
import { conditionOf } from '@karpenter/core';
import { type FaultRule, knownRefusals } from '@karpenter/azure-emulator';
import type { AKSNodeClass, AKSNodeClassSpec } from '../../apis/index.ts';
import { aNodeClass, type AzureWorld, azureWorld, resolveClasses } from '../../testing/azure-world.ts';
import type { NamedObject } from '../../testing/fake-cluster.ts';

// Real HTTP on a busy machine takes its time.
jest.setTimeout(60_000);

const refusing = (status: number, code: string, message = code) =>
  ({ kind: 'refuse', refusal: { status, error: { code, message } } }) as const;
const unauthorized = ({ arm }: AzureWorld): string =>
  `The client 'a' with object id 'a' does not have authorization to perform action 'Microsoft.Compute/diskEncryptionSets/read' over scope '${arm.account.diskEncryptionSetId}' or the scope is invalid.`;

interface Situation {
  readonly spec?: (world: AzureWorld) => AKSNodeClassSpec;
  /** What the class was resolved to before. */
  readonly status?: AKSNodeClass['status'];
  readonly variables?: (world: AzureWorld) => Readonly<Record<string, string>>;
  readonly fault?: (world: AzureWorld) => FaultRule;
}

interface ExpectedCondition {
  /** Condition and reason. */
  readonly part: string;
  readonly message: RegExp;
}

/** The parts of readiness that a class lacks. */
const partsOf = (nodeClass: AKSNodeClass | undefined): readonly string[] =>
  (nodeClass?.status?.conditions ?? [])
    .filter(({ type, status }) => type !== 'Ready' && status !== 'True')
    .map(({ type, reason = '' }) => `${type} ${reason}`);

/** What a class lacks, and what Ready says about it. */
const lacking = async ({ spec = () => ({}), status, variables, fault }: Situation) => {
  await using world = await azureWorld();
  world.cluster.put({ ...aNodeClass(), spec: spec(world), ...(status && { status }) } as AKSNodeClass & NamedObject);
  if (fault !== undefined) world.arm.faults.add(fault(world));
  await world.provider(variables?.(world));
  const nodeClass = world.cluster.nodeClass();
  const ready = conditionOf(nodeClass?.status?.conditions, 'Ready');
  return { parts: partsOf(nodeClass), ready: `${ready?.status} ${ready?.reason}`, message: ready?.message };
};

const withSet = ({ arm }: AzureWorld, name = 'nodes') => ({
  NODE_OSDISK_DISKENCRYPTIONSET_ID: arm.account.diskEncryptionSetId.replace(/nodes$/, name),
});
const subnetOfVnet = (vnet: string): string =>
  `/subscriptions/s/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/${vnet}/subnets/other`;
const LIST_IMAGES = 'CommunityGalleryImageVersions_List';
const noImage = refusing(404, 'NotFound', 'The gallery image is not available.');
const OLD_IMAGE = '/CommunityGalleries/g/images/2204gen2containerd/versions/1';
/** As it was before the cluster went to the version that it has now. */
const beforeUpgrade: AKSNodeClass['status'] = {
  images: [{ id: OLD_IMAGE, requirements: [] }],
  kubernetesVersion: '1.32.9',
  conditions: [{ type: 'ImagesReady', status: 'True', observedGeneration: 1 }],
};
/** Machines of an agent pool. */
const asMachines = ({ arm }: AzureWorld): Readonly<Record<string, string>> => ({
  ...{ PROVISION_MODE: 'aksmachineapi', USE_SIG: 'true', SIG_SUBSCRIPTION_ID: arm.account.imageSubscriptionId },
  AKS_MACHINES_POOL_NAME: arm.account.machinesPoolName,
});
/** Names of 250 characters. */
const longHosts = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `${index}`.padStart(250, 'a'));
/** Own networks, where the names of AKS do not stand. */
const ownNetwork = { VNET_SUBNET_ID: subnetOfVnet('own') };

describe('a class that machines cannot be made of', () => {
  test.each<[string, Situation, ExpectedCondition]>([
    [
      'because no definition of its family is published in the region',
      { fault: () => ({ operation: LIST_IMAGES, effect: noImage }) },
      { part: 'ImagesReady ImagesNotFound', message: /no image of the family is published in this region/ },
    ],
    [
      'because images cannot be listed after the cluster was upgraded',
      { status: beforeUpgrade, fault: () => ({ operation: LIST_IMAGES, effect: refusing(400, 'Odd') }) },
      { part: 'ImagesReady KubernetesUpgrade', message: /images for Kubernetes 1.33.4 cannot be listed: Odd/ },
    ],
    [
      'because its subnet has no id',
      { spec: () => ({ vnetSubnetID: '/subscriptions/s' }) },
      { part: 'SubnetsReady SubnetIDInvalid', message: /\/subscriptions\/s is not the ARM id of a subnet/ },
    ],
    [
      'because AKS manages the network of its subnet',
      { spec: ({ arm }) => ({ vnetSubnetID: arm.account.subnetId.replace('aks-subnet', 'other') }) },
      { part: 'SubnetsReady SubnetIDInvalid', message: /AKS manages the virtual network/ },
    ],
    [
      'because its subnet does not exist',
      { variables: () => ownNetwork },
      { part: 'SubnetsReady SubnetNotFound', message: /virtualNetworks\/own\/subnets\/other does not exist/ },
    ],
    [
      'because its subnet is in another network',
      { spec: () => ({ vnetSubnetID: subnetOfVnet('elsewhere') }) },
      { part: 'SubnetsReady SubnetIDInvalid', message: /is not in the cluster's virtual network/ },
    ],
    [
      'because one of its further subnets is in another network',
      { spec: () => ({ additionalSubnetIDs: [subnetOfVnet('elsewhere')] }) },
      { part: 'SubnetsReady SubnetIDInvalid', message: /elsewhere.* is not in the cluster's virtual network/ },
    ],
    [
      'because Azure refuses to say whether its subnet is there',
      { fault: () => ({ operation: 'Subnets_Get', effect: refusing(400, 'Odd') }) },
      { part: 'SubnetsReady SubnetUnknownError', message: /Odd/ },
    ],
    [
      'because its subnet may not be read',
      { fault: () => ({ operation: 'Subnets_Get', effect: refusing(403, 'AuthorizationFailed') }) },
      { part: 'SubnetsReady SubnetUnknownError', message: /AuthorizationFailed/ },
    ],
    [
      'because its disk encryption set may not be read',
      {
        variables: (world) => withSet(world),
        fault: (world) => ({ operation: 'DiskEncryptionSets_Get', effect: refusing(403, 'AuthorizationFailed', unauthorized(world)) }),
      },
      { part: 'ValidationSucceeded DiskEncryptionSetRBACMissing', message: /the role "Reader" on .*diskEncryptionSets\/nodes/ },
    ],
    [
      'because Azure answers 401 about its disk encryption set',
      {
        variables: (world) => withSet(world),
        fault: (world) => ({ operation: 'DiskEncryptionSets_Get', effect: refusing(401, 'AuthorizationFailed', unauthorized(world)) }),
      },
      { part: 'ValidationSucceeded DiskEncryptionSetRBACMissing', message: /the role "Reader" on .*diskEncryptionSets\/nodes/ },
    ],
    [
      'because its disk encryption set does not exist',
      { variables: (world) => withSet(world, 'gone') },
      { part: 'ValidationSucceeded DiskEncryptionSetNotFound', message: /diskEncryptionSets\/gone does not exist/ },
    ],
    [
      'because its own disk encryption set does not exist',
      {
        spec: (world) => ({ diskEncryptionSetID: withSet(world, 'gone').NODE_OSDISK_DISKENCRYPTIONSET_ID }),
        variables: (world) => withSet(world),
      },
      { part: 'ValidationSucceeded DiskEncryptionSetNotFound', message: /diskEncryptionSets\/gone does not exist/ },
    ],
    [
      'because AKS takes the disk encryption set of the cluster in its mode',
      { spec: (world) => ({ diskEncryptionSetID: withSet(world).NODE_OSDISK_DISKENCRYPTIONSET_ID }), variables: asMachines },
      { part: 'ValidationSucceeded NotInProvisionMode', message: /spec.diskEncryptionSetID .* aksmachineapi: .* of the cluster/ },
    ],
    [
      'because AKS takes the placement group of the pool in its mode',
      { spec: ({ arm }) => ({ proximityPlacementGroupID: arm.account.proximityPlacementGroupId }), variables: asMachines },
      { part: 'ValidationSucceeded NotInProvisionMode', message: /spec.proximityPlacementGroupID .* aksmachineapi: .* of the agent pool/ },
    ],
    [
      'because AKS takes the address families of the cluster in its mode',
      { spec: () => ({ ipFamilies: ['IPv4'] }), variables: asMachines },
      { part: 'ValidationSucceeded NotInProvisionMode', message: /spec.ipFamilies .* aksmachineapi: .* of the cluster/ },
    ],
    [
      'because its subnet has no IPv6 addresses',
      { spec: () => ({ ipFamilies: ['IPv4', 'IPv6'] }) },
      { part: 'SubnetsReady SubnetHasNoIPv6', message: /aks-subnet has no IPv6 address range/ },
    ],
    [
      'because the service that writes its user data takes no pod subnet',
      {
        spec: ({ arm }) => ({ podSubnetID: arm.account.subnetId }),
        variables: () => ({ NETWORK_PLUGIN_MODE: '', PROVISION_MODE: 'bootstrappingclient' }),
      },
      { part: 'ValidationSucceeded NotInProvisionMode', message: /spec.podSubnetID .* bootstrappingclient: .* takes no pod subnet/ },
    ],
    [
      'because pods of an overlay have addresses of no subnet',
      { spec: ({ arm }) => ({ podSubnetID: arm.account.subnetId }), variables: asMachines },
      { part: 'SubnetsReady SubnetIDInvalid', message: /needs the network plugin azure without overlay/ },
    ],
    [
      'because its pod subnet is in another network',
      {
        spec: () => ({ podSubnetID: subnetOfVnet('elsewhere') }),
        variables: (world) => ({ ...asMachines(world), NETWORK_PLUGIN_MODE: '' }),
      },
      { part: 'SubnetsReady SubnetIDInvalid', message: /elsewhere.* is not in the cluster's virtual network/ },
    ],
    [
      'because AKS takes the proxy of the cluster in its mode',
      {
        spec: () => ({ httpProxyConfig: { httpProxy: 'http://proxy:3128' } }),
        variables: () => ({ PROVISION_MODE: 'bootstrappingclient' }),
      },
      { part: 'ValidationSucceeded NotInProvisionMode', message: /spec.httpProxyConfig .* bootstrappingclient: .* --http-proxy-config/ },
    ],
    [
      'because AKS takes the authorities of the cluster in its mode',
      {
        spec: () => ({ security: { customCATrustCertificates: ['LS0t'] } }),
        variables: () => ({ PROVISION_MODE: 'bootstrappingclient' }),
      },
      { part: 'ValidationSucceeded NotInProvisionMode', message: /spec.security.customCATrustCertificates/ },
    ],
    [
      'because a value of it, stored under an older definition, would be a flag of its own on a node',
      { spec: () => ({ kubelet: { allowedUnsafeSysctls: ['kernel.msg*', 'a --manifest-url=http://192.0.2.1/p'] } }) },
      {
        part: 'ValidationSucceeded FieldInvalid',
        message: /spec.kubelet.allowedUnsafeSysctls\[1\]: "a --manifest-url=http:\/\/192.0.2.1\/p" must match/,
      },
    ],
    [
      'because the custom data of its machines would be longer than Azure takes',
      { spec: () => ({ httpProxyConfig: { httpProxy: 'http://proxy', noProxy: longHosts(200) } }) },
      {
        part: 'ValidationSucceeded CustomDataTooLong',
        message: /would have 1\d\d,\d{3} characters of base64, Azure takes 87,380: shorten/,
      },
    ],
    [
      'because AKS takes no field for confidential VMs in its mode',
      { spec: () => ({ security: { confidentialVM: {} } }), variables: asMachines },
      { part: 'ValidationSucceeded NotInProvisionMode', message: /spec.security.confidentialVM .* aksmachineapi/ },
    ],
    [
      'because no images for confidential VMs are published in its galleries',
      { spec: () => ({ imageFamily: 'Ubuntu2404', security: { confidentialVM: {} } }) },
      { part: 'ImagesReady ImagesNotFound', message: /./ },
    ],
    [
      'because images with FIPS are not available',
      { spec: () => ({ imageFamily: 'AzureLinux', fipsMode: 'FIPS' }) },
      { part: 'ImagesReady SIGRequiredForFIPS', message: /expected --use-sig/ },
    ],
  ])('%s', async (_, situation, { part, message }) => {
    const actual = await lacking(situation);
    expect(actual.parts).toEqual([part]);
    expect(actual.ready).toBe(`False ${part.split(' ')[1] ?? ''}`);
    expect(actual.message).toMatch(message);
  });

  test('when its disk encryption set can be read › is Ready', async () => {
    expect(await lacking({ variables: (world) => withSet(world) })).toMatchObject({ parts: [], ready: 'True Ready' });
  });

  test('when Azure does not return its disk encryption set › stays Ready', async () => {
    await using world = await azureWorld();
    const azure = await world.provider(withSet(world));
    const before = world.cluster.nodeClass()?.status;
    using _fault = world.arm.faults.add({ operation: 'DiskEncryptionSets_Get', effect: refusing(400, 'Odd') });
    await world.passing(resolveClasses(azure, world.cluster));
    expect(world.cluster.nodeClass()?.status).toEqual(before);
    expect(conditionOf(before?.conditions, 'Ready')).toMatchObject({ status: 'True' });
  });

  test.each([
    ['is not well', refusing(503, 'ServiceUnavailable')],
    ['takes no more calls', { kind: 'refuse', refusal: knownRefusals.tooManyRequests(600, 'reads') }],
  ] as const)('stays as it was while Azure %s and its subnet cannot be read', async (_, effect) => {
    await using world = await azureWorld();
    const azure = await world.provider();
    const before = world.cluster.nodeClass()?.status;
    using _fault = world.arm.faults.add({ operation: 'Subnets_Get', effect });
    await world.passing(resolveClasses(azure, world.cluster));
    expect(world.cluster.nodeClass()?.status).toEqual(before);
    expect(conditionOf(before?.conditions, 'Ready')).toMatchObject({ status: 'True' });
  });

  test('when the subnet in the spec was never read and Azure returns 503 › Ready is Unknown', async () => {
    await using world = await azureWorld();
    const azure = await world.provider();
    const nodeClass = world.cluster.nodeClass();
    const edited = { ...nodeClass, metadata: { ...nodeClass?.metadata, generation: 2 } };
    world.cluster.put(edited as AKSNodeClass & NamedObject);
    using _fault = world.arm.faults.add({ operation: 'Subnets_Get', effect: refusing(503, 'ServiceUnavailable') });
    await world.passing(resolveClasses(azure, world.cluster));
    const { conditions } = world.cluster.nodeClass()?.status ?? {};
    expect(conditionOf(conditions, 'Ready')).toMatchObject({ status: 'Unknown', reason: 'SubnetUnknownError' });
  });

  test('when Azure never listed images for it › ImagesReady is Unknown until they are listed', async () => {
    await using world = await azureWorld();
    const fault = world.arm.faults.add({ operation: LIST_IMAGES, effect: refusing(400, 'Odd') });
    const azure = await world.provider();
    const { conditions } = world.cluster.nodeClass()?.status ?? {};
    expect(conditionOf(conditions, 'ImagesReady')).toMatchObject({
      status: 'Unknown',
      reason: 'ImagesUnknownError',
      message: expect.stringContaining('Odd'),
    });
    expect(conditionOf(conditions, 'Ready')).toMatchObject({ status: 'Unknown', reason: 'ImagesUnknownError' });
    fault[Symbol.dispose]();
    await world.passing(resolveClasses(azure, world.cluster));
    expect(conditionOf(world.cluster.nodeClass()?.status?.conditions, 'Ready')).toMatchObject({ status: 'True' });
  });

  test('keeps its images while Azure lists no new ones, and takes those of a definition that is published later', async () => {
    await using world = await azureWorld();
    world.arm.faults.add({ operation: LIST_IMAGES, effect: noImage, times: 1 });
    const azure = await world.provider();
    const before = world.cluster.nodeClass()?.status;
    expect(before?.images?.map(({ id }) => id.split('/')[4])).toEqual(['2204containerd', '2204gen2arm64containerd']);
    {
      using _fault = world.arm.faults.add({ operation: LIST_IMAGES, effect: refusing(400, 'Odd') });
      await world.passing(resolveClasses(azure, world.cluster));
      expect(world.cluster.nodeClass()?.status).toEqual(before);
    }
    await world.passing(resolveClasses(azure, world.cluster));
    expect(world.cluster.nodeClass()?.status?.images).toHaveLength(3);
  });

  test('reports the upgrade until there are images for it', async () => {
    await using world = await azureWorld();
    world.cluster.put({ ...aNodeClass(), status: beforeUpgrade } as AKSNodeClass & NamedObject);
    const fault = world.arm.faults.add({ operation: LIST_IMAGES, effect: refusing(400, 'Odd') });
    const azure = await world.provider();
    await world.passing(resolveClasses(azure, world.cluster));
    expect(conditionOf(world.cluster.nodeClass()?.status?.conditions, 'ImagesReady')).toMatchObject({ reason: 'KubernetesUpgrade' });
    fault[Symbol.dispose]();
    await world.passing(resolveClasses(azure, world.cluster));
    const { conditions, kubernetesVersion, images = [] } = world.cluster.nodeClass()?.status ?? {};
    expect(conditionOf(conditions, 'Ready')).toMatchObject({ status: 'True' });
    expect(kubernetesVersion).toBe('1.33.4');
    expect(images.map(({ id }) => id)).not.toContain(OLD_IMAGE);
  });
});
