import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { ComputeManagementClient } from '@azure/arm-compute';
import { NetworkManagementClient } from '@azure/arm-network';
import { ClientSecretCredential } from '@azure/identity';
import type { ArmEmulator } from '@karpenter/azure-emulator';
import type { FakeClock } from '@karpenter/runtime';
import { fakeClock } from '@karpenter/runtime';
import { conditionIn } from '../objects/conditions.ts';
import type { NodeObject } from '../objects/node.ts';
import { nodes } from '../objects/node.ts';
import { isReady, podKind } from '../objects/pod.ts';
import type { EmbeddedCluster } from './embedded-cluster.ts';
import { startEmbeddedCluster } from './start-embedded-cluster.ts';

const MINUTE = 60_000;
const IMAGE = '/CommunityGalleries/AKSUbuntu-38d80f77-467a-481f-a8d4-09b6d4220bd2/images/2204gen2containerd/versions/202611.03.0';

const scriptWith = (flags: string, labels: string): string =>
  Buffer.from(
    [
      '#!/bin/bash',
      'API_SERVER_NAME="127.0.0.1"',
      `KUBELET_FLAGS="${flags}"`,
      `KUBELET_NODE_LABELS="${labels}"`,
      'KUBERNETES_VERSION=1.33.2',
      "echo '#EOF' >> /opt/azure/manifest.json",
      'CSE_HELPERS_FILEPATH=/opt/azure/containers/provision_source.sh',
      'CSE_DISTRO_HELPERS_FILEPATH=/opt/azure/containers/provision_source_distro.sh',
      'CSE_INSTALL_FILEPATH=/opt/azure/containers/provision_installs.sh',
      'CSE_DISTRO_INSTALL_FILEPATH=/opt/azure/containers/provision_installs_distro.sh',
      'CSE_CONFIG_FILEPATH=/opt/azure/containers/provision_configs.sh',
      '/bin/bash /opt/azure/containers/provision_start.sh',
    ].join('\n'),
  ).toString('base64');

const FLAGS = [
  '--cloud-provider=external',
  '--register-with-taints=karpenter.sh/unregistered:NoExecute,team=blue:NoSchedule',
  '--max-pods=42',
  '--kube-reserved=cpu=100m,memory=1843Mi',
  '--eviction-hard=memory.available<750Mi',
].join(' ');
const LABELS = 'karpenter.sh/nodepool=general,kubernetes.azure.com/cluster=demo';

/** Lets time pass until a call that waits for Azure is through. */
const passing = async <Result>(clock: FakeClock, work: PromiseLike<Result>): Promise<Result> => {
  let done = false;
  const result = Promise.resolve(work).finally(() => (done = true));
  result.catch(() => undefined);
  while (!done) await clock.advance(500);
  return result;
};

const clientsOf = ({ account, authorityUrl, caPem, url }: ArmEmulator) => {
  const tlsOptions = { ca: caPem };
  const { tenantId, clientId, clientSecret, subscriptionId } = account;
  const credential = new ClientSecretCredential(tenantId, clientId, clientSecret, {
    authorityHost: authorityUrl,
    disableInstanceDiscovery: true,
    tlsOptions,
  });
  const options = { endpoint: url, credentials: { scopes: [`${url}/.default`] }, tlsOptions };
  return {
    compute: new ComputeManagementClient(credential, subscriptionId, options),
    network: new NetworkManagementClient(credential, subscriptionId, options),
  };
};

interface Azure {
  readonly cluster: EmbeddedCluster;
  readonly clock: FakeClock;
  createVm(name: string, customData: string): Promise<unknown>;
  deleteVm(name: string): Promise<unknown>;
  node(name: string): NodeObject | undefined;
}

const azureOf = (cluster: EmbeddedCluster, clock: FakeClock): Azure => {
  const { arm } = cluster;
  if (arm === undefined) throw new Error('this cluster has no Azure');
  const { account } = arm;
  const { location, nodeResourceGroup: group } = account;
  const { compute, network } = clientsOf(arm);
  const fast = { updateIntervalInMs: 2 };
  const createVm = async (name: string, customData: string): Promise<unknown> => {
    const ipConfigurations = [{ name, primary: true, privateIPAllocationMethod: 'Dynamic', subnet: { id: account.subnetId } }];
    const nic = await passing(clock, network.networkInterfaces.createOrUpdate(group, name, { location, ipConfigurations }, fast));
    return passing(
      clock,
      compute.virtualMachines.createOrUpdate(
        group,
        name,
        {
          ...{ location, zones: ['2'], hardwareProfile: { vmSize: 'Standard_D2s_v3' } },
          storageProfile: {
            imageReference: { communityGalleryImageId: IMAGE },
            osDisk: { name, diskSizeGB: 128, createOption: 'FromImage', deleteOption: 'Delete' },
          },
          networkProfile: {
            networkInterfaces: [{ ...(nic.id === undefined ? {} : { id: nic.id }), primary: true, deleteOption: 'Delete' }],
          },
          osProfile: {
            ...{ adminUsername: 'azureuser', computerName: name, customData },
            linuxConfiguration: {
              disablePasswordAuthentication: true,
              ssh: {
                publicKeys: [{ path: '/home/azureuser/.ssh/authorized_keys', keyData: cluster.environment()['SSH_PUBLIC_KEY'] ?? '' }],
              },
            },
          },
        },
        fast,
      ),
    );
  };
  return {
    ...{ cluster, clock, createVm },
    deleteVm: (name) => passing(clock, compute.virtualMachines.delete(group, name, { forceDeletion: true, ...fast })),
    node: (name) => cluster.local.get(nodes, { name }),
  };
};

describe('an embedded cluster', () => {
  test('has a system pool that runs the name service and its daemons', async () => {
    const clock = fakeClock();
    await using cluster = await startEmbeddedCluster({ clock });
    await clock.advance(MINUTE);
    expect(cluster.local.list(nodes).map((node) => conditionIn(node.status?.conditions, 'Ready')?.status)).toEqual(['True', 'True']);
    const running = cluster.local.list(podKind, { namespace: 'kube-system' });
    expect(running.filter((pod) => pod.metadata.labels?.['k8s-app'] === 'kube-dns')).toHaveLength(2);
    expect(running.every(isReady)).toBe(true);
  });

  test('gives another process all it needs in files that are deleted with the cluster', async () => {
    const cluster = await startEmbeddedCluster({ clock: fakeClock(), systemPool: false });
    const environment = cluster.environment();
    const file = (name: string): string => readFileSync(environment[name] ?? '', 'utf8');
    expect(file('KUBECONFIG')).toContain(cluster.apiUrl);
    expect(JSON.parse(file('AZURE_ENVIRONMENT_FILEPATH'))).toMatchObject({ resourceManagerEndpoint: cluster.arm?.url });
    expect(file('NODE_EXTRA_CA_CERTS')).toContain('BEGIN CERTIFICATE');
    expect(environment['SSH_PUBLIC_KEY']).toMatch(/^ssh-ed25519 AAAA/);
    await cluster.stop();
    expect(existsSync(dirname(cluster.kubeconfigPath))).toBe(false);
  });

  test('turns a VM that boots into the node that its customData describes, and loses it with the VM', async () => {
    const clock = fakeClock();
    await using cluster = await startEmbeddedCluster({ clock, systemPool: false, azure: { pollAfterSeconds: 0 } });
    const azure = azureOf(cluster, clock);
    await azure.createVm('aks-general-x1', scriptWith(FLAGS, LABELS));
    await clock.advance(MINUTE);

    const node = azure.node('aks-general-x1');
    expect(node?.metadata.labels).toMatchObject({
      'karpenter.sh/nodepool': 'general',
      'kubernetes.azure.com/cluster': 'demo',
      'topology.kubernetes.io/zone': 'eastus-2',
      'node.kubernetes.io/instance-type': 'Standard_D2s_v3',
    });
    expect(node?.spec?.taints?.map(({ key, effect }) => `${key}:${effect}`)).toEqual([
      'karpenter.sh/unregistered:NoExecute',
      'team:NoSchedule',
    ]);
    expect(node?.spec?.providerID).toMatch(/^azure:\/\/\/subscriptions\/.*\/virtualMachines\/aks-general-x1$/);
    expect(node?.status).toMatchObject({
      capacity: { cpu: '2', pods: '42' },
      allocatable: { cpu: '1900m' },
      nodeInfo: { kubeletVersion: 'v1.33.2', osImage: 'Ubuntu 22.04.5 LTS' },
    });

    await azure.deleteVm('aks-general-x1');
    await clock.advance(2 * MINUTE);
    expect(azure.node('aks-general-x1')).toBeUndefined();
  });

  test('keeps a VM whose customData makes no node out, and says why', async () => {
    const clock = fakeClock();
    await using cluster = await startEmbeddedCluster({ clock, systemPool: false, azure: { pollAfterSeconds: 0 } });
    await azureOf(cluster, clock).createVm('aks-broken', Buffer.from('#!/bin/bash\necho hello').toString('base64'));
    await clock.advance(MINUTE);
    expect(cluster.local.list(nodes)).toEqual([]);
    expect(cluster.failedBootstraps.map(({ vmName, error }) => [vmName, error.code])).toEqual([['aks-broken', 'MissingVariable']]);
  });

  test('keeps a VM out whose kubelet is given labels that it may not set', async () => {
    const clock = fakeClock();
    await using cluster = await startEmbeddedCluster({ clock, systemPool: false, azure: { pollAfterSeconds: 0 } });
    await azureOf(cluster, clock).createVm('aks-labelled', scriptWith(FLAGS, `${LABELS},node-restriction.kubernetes.io/team=web`));
    await clock.advance(MINUTE);
    expect(cluster.local.list(nodes)).toEqual([]);
    expect(cluster.failedBootstraps.map(({ error }) => [error.code, error.message])).toEqual([
      ['ForbiddenLabel', '--node-labels has labels that no kubelet may set: node-restriction.kubernetes.io/team'],
    ]);
  });

  test('runs at the given speed', async () => {
    const clock = fakeClock();
    await using cluster = await startEmbeddedCluster({ clock, speed: 60, azure: false });
    await clock.advance(1_000);
    expect(cluster.clock.now() - clock.now()).toBe(59_000);
    expect(cluster.local.list(podKind).filter(isReady)).toHaveLength(8);
    expect(cluster.environment()).not.toHaveProperty('ARM_SUBSCRIPTION_ID');
  });
});
