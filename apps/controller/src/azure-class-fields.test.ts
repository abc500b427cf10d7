import { describe, expect, jest, test } from '@jest/globals';
import type { Node } from '@karpenter/core';
import type { ApiObject } from '@karpenter/api-server';
import { decodeBootstrap } from '@karpenter/azure-emulator';
import { nodesOf } from './testing/clusters/cluster-census.ts';
import { aDeployment, aNodeClass, aPool, poolOfD4 } from './testing/clusters/objects.ts';
import type { TestCluster } from './testing/clusters/test-cluster.ts';
import { making, type ProvisionMode, storyMode } from './testing/stories/provision-mode.ts';
import { settled } from './testing/stories/story-ends.ts';
import { startStoryIn, type Story } from './testing/stories/story.ts';

// They run side by side, and share a busy machine.
jest.setTimeout(300_000);

/** Fields that hold where Karpenter makes the VM. */
const describeVms = storyMode.create === 'VirtualMachines_CreateOrUpdate' ? describe : () => undefined;

const aClassWith = (spec: object, name = 'default'): ApiObject => ({ ...aNodeClass, metadata: { name }, spec }) as ApiObject;

const poolOfClass = (name: string): ApiObject => {
  const { template } = poolOfD4.spec;
  const nodeClassRef = { ...template.spec.nodeClassRef, name };
  return {
    ...poolOfD4,
    metadata: { name },
    spec: { ...poolOfD4.spec, template: { ...template, spec: { ...template.spec, nodeClassRef } } },
  } as ApiObject;
};

/** One fits on a node. */
const podsOn = (pool: string, replicas: number, name = 'inflate'): ApiObject =>
  aDeployment({ name, replicas, cpu: '3', podSpec: { nodeSelector: { 'karpenter.sh/nodepool': pool } } });

interface Address {
  readonly type: string;
  readonly address: string;
}

/** Its internal addresses without the last part. */
const prefixesOf = ({ status }: Node): readonly string[] => {
  const { addresses = [] } = (status ?? {}) as { readonly addresses?: readonly Address[] };
  return addresses.filter(({ type }) => type === 'InternalIP').map(({ address }) => address.replace(/\d+$/, ''));
};

describe('when the first subnet of a class is full', () => {
  test.concurrent('its nodes join the other one, pods run on them, and Azure refuses no machine', async () => {
    const network = { vnet: 'own', subnets: { first: '10.1.0.0/29', second: '10.1.0.8/29' } };
    await using story = await startStoryIn({ network }, aNodeClass, { ...poolOfD4, metadata: { name: 'one-subnet' } });
    const { arm } = story.cluster;
    story.create(podsOn('one-subnet', 3, 'others'));
    await settled(story, 0, 3);
    const additionalSubnetIDs = [arm.account.subnetId.replace(/[^/]+$/, 'second')];
    story.create(aClassWith({ additionalSubnetIDs }, 'both'), poolOfClass('both'), podsOn('both', 2));
    await settled(story, 2, 5);
    const joined = arm.nics().map(({ subnetId }) => subnetId.replace(/^.*\//, ''));
    expect(joined.toSorted()).toEqual(['first', 'first', 'first', 'second', 'second']);
    expect(arm.requests.all().filter(({ method, status }) => method === 'PUT' && status === 400)).toEqual([]);
  });
});

describeVms('nodes of a class with both address families', () => {
  test.concurrent('have an address of each, run pods, and give both back', async () => {
    const network = { vnet: 'own', subnets: { nodes: '10.1.0.0/28' }, ipv6: { nodes: 'fd00:1::/64' } };
    await using story = await startStoryIn({ network }, aClassWith({ ipFamilies: ['IPv4', 'IPv6'] }), poolOfD4, podsOn('general', 2));
    await settled(story, 2, 2);
    const addresses = nodesOf(story.cluster).map(prefixesOf);
    expect(addresses).toEqual([
      ['10.1.0.', 'fd00:1::'],
      ['10.1.0.', 'fd00:1::'],
    ]);
    story.scale('inflate', 0);
    await settled(story, 0, 0);
  });
});

describe('nodes of a class behind a proxy, with an authority and huge pages of its own', () => {
  test.concurrent('have all of it when they join, and run pods', async () => {
    const proxy = { httpProxy: 'http://proxy.example.com:3128', noProxy: ['10.0.0.0/8'] };
    const authority = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
    const nodeClass = aClassWith({
      imageFamily: 'Ubuntu2204',
      httpProxyConfig: proxy,
      security: { customCATrustCertificates: [Buffer.from(authority).toString('base64')] },
      linuxOSConfig: { transparentHugePageEnabled: 'madvise', transparentHugePageDefrag: 'defer' },
    });
    await using story = await startStoryIn({ variables: making('aksscriptless') }, nodeClass, poolOfD4, podsOn('general', 2));
    await settled(story, 2, 2);
    expect(story.cluster.failedBootstraps).toEqual([]);
    for (const { osProfile } of story.cluster.arm.vms()) {
      expect(decodeBootstrap(osProfile.customData ?? '').settings).toMatchObject({
        proxy: { http: proxy.httpProxy, https: proxy.httpProxy, direct: expect.arrayContaining(proxy.noProxy) },
        trusted: [authority],
        transparentHugePages: { enabled: 'madvise', defrag: 'defer' },
      });
    }
  });
});

describeVms('nodes of a class with a disk encryption set and a proximity placement group', () => {
  test.concurrent('are made with both, and run pods', async () => {
    await using story = await startStoryIn({});
    const { account, requests } = story.cluster.arm;
    const { diskEncryptionSetId, proximityPlacementGroupId } = account;
    const fields = { diskEncryptionSetID: diskEncryptionSetId, proximityPlacementGroupID: proximityPlacementGroupId };
    story.create(aClassWith(fields), poolOfD4, podsOn('general', 2));
    await settled(story, 2, 2);
    const properties = {
      proximityPlacementGroup: { id: proximityPlacementGroupId },
      storageProfile: { osDisk: { managedDisk: { diskEncryptionSet: { id: diskEncryptionSetId } } } },
    };
    const made = requests.of('VirtualMachines_CreateOrUpdate').filter(({ status }) => status < 300);
    expect(made.map(({ body }) => body)).toMatchObject([{ properties }, { properties }]);
  });
});

describe('nodes of a class with a subnet for pods', () => {
  const network = { vnet: 'own', subnets: { nodes: '10.1.0.0/28', pods: '10.2.0.0/24' } };
  const withoutOverlay = (mode: ProvisionMode['name']) => (cluster: TestCluster) => ({
    ...making(mode)(cluster),
    ...{ NETWORK_PLUGIN: 'azure', NETWORK_PLUGIN_MODE: '', NETWORK_DATAPLANE: 'azure' },
  });
  const podSubnetOf = ({ cluster: { arm } }: Story): string => arm.account.subnetId.replace(/[^/]+$/, 'pods');

  test.concurrent('are machines of an agent pool with that subnet, and run pods', async () => {
    await using story = await startStoryIn({ network, variables: withoutOverlay('aksmachineapi') });
    const podSubnetID = podSubnetOf(story);
    story.create(aClassWith({ podSubnetID, maxPods: 30 }), poolOfD4, podsOn('general', 2));
    await settled(story, 2, 2);
    const made = story.cluster.arm.requests.of('Machines_CreateOrUpdate').filter(({ status }) => status < 300);
    expect(made.map(({ body }) => body)).toMatchObject([
      { properties: { network: { podSubnetID } } },
      { properties: { network: { podSubnetID } } },
    ]);
  });

  test.concurrent('by aksscriptless name the subnet on their labels, take one address of their own, and run pods', async () => {
    await using story = await startStoryIn({ network, variables: withoutOverlay('aksscriptless') });
    story.create(aClassWith({ podSubnetID: podSubnetOf(story), maxPods: 30 }), poolOfD4, podsOn('general', 2));
    await settled(story, 2, 2);
    const nodes = nodesOf(story.cluster);
    expect(nodes.map(({ metadata }) => metadata.labels?.['kubernetes.azure.com/podnetwork-subnet'])).toEqual(['pods', 'pods']);
    // Two nodes of 30 pods would not fit into the 11 addresses of the subnet of nodes.
    expect(story.cluster.arm.nics().map(({ privateIpAddresses }) => privateIpAddresses.length)).toEqual([1, 1]);
    story.scale('inflate', 0);
    await settled(story, 0, 0);
  });
});

describe.each(['aksscriptless', 'bootstrappingclient'] as const)('nodes by %s of a class for confidential VMs', (mode) => {
  test.concurrent('are confidential VMs of sizes and images for them, and run pods', async () => {
    const inGalleries = (cluster: TestCluster) => ({
      ...making(mode)(cluster),
      USE_SIG: 'true',
      SIG_SUBSCRIPTION_ID: cluster.arm.account.imageSubscriptionId,
      SIG_ACCESS_TOKEN_SERVER_URL: cluster.arm.auxiliaryTokensUrl,
    });
    const nodeClass = aClassWith({ imageFamily: 'AzureLinux', security: { confidentialVM: {} } });
    await using story = await startStoryIn({ variables: inGalleries }, nodeClass, aPool(), podsOn('general', 2));
    await story.until('both run', () => story.census().running === 2);
    expect(story.cluster.failedBootstraps).toEqual([]);
    for (const { size, imageId } of story.cluster.arm.vms()) {
      expect(size).toMatch(/^Standard_DC\d+ad?s_v\d$/);
      expect(imageId).toMatch(/\/V3gen2CVM\//);
    }
    story.scale('inflate', 0);
    await settled(story, 0, 0);
  });
});
