import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { type CloudProviderError, labels, type NodeClaim, type NodePool, type RequirementSpec } from '@karpenter/core';
import { type KubeObject, silentLogger } from '@karpenter/core/controllers';
import { fakeClock, type FakeClock } from '@karpenter/runtime';
import {
  type ArmCertificates,
  type ArmEmulator,
  type ArmLatencies,
  createArmCertificates,
  decodeBootstrap,
  knownRefusals,
  startArmEmulator,
} from '@karpenter/simulator/arm';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AKSNodeClass, azureAnnotations, azureLabels, nodeClassConditions } from '../apis/index.ts';
import { parseAzureOptions } from '../options/index.ts';
import type { AzureKube } from './azure-kube.ts';
import { type AzureProvider, createAzureProvider } from './create-azure-provider.ts';

// Real HTTP on a busy machine takes its time.
jest.setTimeout(60_000);

type Object = KubeObject & { readonly metadata: { readonly name: string } };

/** A cluster's API as far as the provider uses it: objects by kind and name, merge patches of one level of nesting. */
class Cluster {
  readonly objects = new Map<string, Object>();

  put(object: Object): void {
    this.objects.set(`${object.kind}/${object.metadata.name}`, object);
  }

  nodeClass(): AKSNodeClass | undefined {
    return this.objects.get('AKSNodeClass/default') as AKSNodeClass | undefined;
  }

  kube(): AzureKube {
    const merge = (kind: string, name: string, body: object): Object | undefined => {
      const before = this.objects.get(`${kind}/${name}`);
      if (before === undefined) return undefined;
      const { metadata, status } = body as { metadata?: object; status?: object };
      const annotations = { ...before.metadata.annotations, ...(metadata as Object['metadata'] | undefined)?.annotations };
      const after = { ...before, ...(status && { status }), metadata: { ...before.metadata, ...metadata, annotations } };
      this.put(after);
      return after;
    };
    const patch = (kind: string, { name }: { name: string }, { body }: { body: object }) => Promise.resolve(merge(kind, name, body));
    const kube = {
      get: (kind: string, { name }: { name: string }) => Promise.resolve(this.objects.get(`${kind}/${name}`)),
      list: (kind: string) =>
        Promise.resolve({ resourceVersion: '1', items: [...this.objects.values()].filter((object) => object.kind === kind) }),
      patch,
      patchStatus: patch,
      delete: (kind: string, { name }: { name: string }) => Promise.resolve(this.objects.delete(`${kind}/${name}`) ? 'deleted' : 'gone'),
    };
    return kube as unknown as AzureKube;
  }
}

let certificates: ArmCertificates;
let folder: string;
beforeAll(async () => {
  certificates = await createArmCertificates();
  folder = await mkdtemp(join(tmpdir(), 'azure-'));
});
afterAll(() => rm(folder, { recursive: true }));

const never = new AbortController().signal;
const call = { signal: never };

interface World extends AsyncDisposable {
  readonly arm: ArmEmulator;
  readonly clock: FakeClock;
  readonly cluster: Cluster;
  /** A provider with no memory, as after a restart: the one before is no more. */
  provider(): Promise<AzureProvider>;
  /** Lets time pass until the promise is settled. */
  passing<T>(promise: Promise<T>): Promise<T>;
  /** Lets time pass until it is so. */
  until(isSo: () => boolean): Promise<void>;
}

const aNodeClass = (): AKSNodeClass & Object => ({
  apiVersion: 'karpenter.azure.com/v1beta1',
  kind: 'AKSNodeClass',
  metadata: { name: 'default', generation: 1 },
  spec: { imageFamily: 'Ubuntu2204', osDiskSizeGB: 128, tags: { team: 'web/shop' } },
});

const aPool: NodePool & Object = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'general' },
  spec: { template: { spec: { requirements: [], nodeClassRef: { group: 'karpenter.azure.com', kind: 'AKSNodeClass', name: 'default' } } } },
};

const D2 = { key: labels.instanceType, operator: 'In', values: ['Standard_D2s_v3'] } as const;
const onDemand = { key: labels.capacityType, operator: 'In', values: ['on-demand'] } as const;

const aClaim = (name: string, ...requirements: readonly RequirementSpec[]): NodeClaim & Object => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodeClaim',
  metadata: { name, labels: { [labels.nodePool]: 'general' } },
  spec: {
    requirements: requirements.length === 0 ? [D2, onDemand] : requirements,
    nodeClassRef: { group: 'karpenter.azure.com', kind: 'AKSNodeClass', name: 'default' },
    taints: [{ key: 'dedicated', value: 'web', effect: 'NoSchedule' }],
    resources: { requests: { cpu: '1', memory: '1Gi' } },
  },
});

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const environmentOf = (arm: ArmEmulator, path: string): Record<string, string> => ({
  CLUSTER_NAME: arm.account.clusterName,
  CLUSTER_ENDPOINT: 'https://api.example:443',
  KUBELET_BOOTSTRAP_TOKEN: 'abcdef.0123456789abcdef',
  SSH_PUBLIC_KEY: 'ssh-rsa AAAA',
  VNET_SUBNET_ID: arm.account.subnetId,
  AZURE_NODE_RESOURCE_GROUP: arm.account.nodeResourceGroup,
  LOCATION: arm.account.location,
  ARM_SUBSCRIPTION_ID: arm.account.subscriptionId,
  ARM_TENANT_ID: arm.account.tenantId,
  DNS_SERVICE_IP: '10.0.0.10',
  AZURE_ENVIRONMENT_FILEPATH: path,
  AZURE_CLIENT_ID: arm.account.clientId,
  AZURE_CLIENT_SECRET: arm.account.clientSecret,
});

const resolveClasses = async (azure: AzureProvider, cluster: Cluster): Promise<void> => {
  for (const controller of azure.nodeClassControllers) {
    const nodeClass = cluster.nodeClass();
    if (nodeClass !== undefined) await controller.reconcile(nodeClass, call);
  }
};

const aWorld = async (latencies: Partial<ArmLatencies> = {}): Promise<World> => {
  const clock = fakeClock();
  const arm = await startArmEmulator({ clock, certificates, latencies });
  const path = join(folder, `${new URL(arm.url).port}.json`);
  await writeFile(path, JSON.stringify(arm.environmentFile()));
  const cluster = new Cluster();
  cluster.put(aNodeClass());
  cluster.put(aPool);
  const environment = environmentOf(arm, path);
  const parsed = parseAzureOptions({ env: environment, flags: {} });
  if (!parsed.ok) throw new Error(parsed.problems.join('\n'));
  let lifetime = new AbortController();
  const passing = async <T>(promise: Promise<T>): Promise<T> => {
    let isSettled = false;
    const done = promise.finally(() => (isSettled = true));
    done.catch(() => undefined);
    while (!isSettled) {
      await turn();
      await clock.advance(20);
    }
    return done;
  };
  return {
    arm,
    clock,
    cluster,
    passing,
    until: async (isSo) => {
      while (!isSo()) {
        await turn();
        await clock.advance(100);
      }
    },
    provider: async () => {
      lifetime.abort();
      lifetime = new AbortController();
      const azure = createAzureProvider({
        options: parsed.options,
        kube: cluster.kube(),
        caBundle: 'Y2E=',
        serverVersion: () => Promise.resolve('v1.33.4'),
        clock,
        logger: silentLogger,
        metrics: { counter: () => ({ increment: () => undefined }) },
        variables: environment,
        caPem: arm.caPem,
      });
      await passing(azure.start(lifetime.signal));
      await passing(resolveClasses(azure, cluster));
      return azure;
    },
    [Symbol.asyncDispose]: async () => {
      lifetime.abort();
      await arm.close();
    },
  };
};

const collect = async ({ singletons }: AzureProvider): Promise<void> => {
  for (const controller of singletons.filter(({ name }) => name.endsWith('garbagecollection'))) await controller.reconcile(call);
};

const counts = ({ arm }: World): readonly number[] => [arm.vms().length, arm.nics().length, arm.disks().length];

const failureOf = async (promise: Promise<unknown>): Promise<CloudProviderError> => {
  try {
    await promise;
  } catch (error) {
    return error as CloudProviderError;
  }
  throw new Error('it succeeded');
};

describe('a node class', () => {
  test('is resolved to a Kubernetes version and images, and becomes ready', async () => {
    await using world = await aWorld();
    await world.provider();
    const resolved = world.cluster.nodeClass();
    expect(resolved).toMatchObject({
      metadata: { annotations: { [azureAnnotations.nodeClassHash]: expect.stringMatching(/^\d+$/) } },
      status: {
        kubernetesVersion: '1.33.4',
        images: ['2204gen2containerd', '2204containerd', '2204gen2arm64containerd'].map((name) => ({
          id: expect.stringContaining(`/images/${name}/versions/`),
        })),
        conditions: expect.arrayContaining([expect.objectContaining({ type: nodeClassConditions.ready, status: 'True' })]),
      },
    });
  });

  test('that says the same as before is not written again', async () => {
    await using world = await aWorld();
    const azure = await world.provider();
    const before = world.cluster.nodeClass();
    await world.passing(resolveClasses(azure, world.cluster));
    expect(world.cluster.nodeClass()?.status).toBe(before?.status);
  });

  test('whose subnet does not exist is not ready, and nothing is launched from it', async () => {
    await using world = await aWorld();
    const missing = world.arm.account.subnetId.replace(/[^/]+$/, 'missing');
    world.cluster.put({ ...aNodeClass(), spec: { vnetSubnetID: missing } } as AKSNodeClass & Object);
    const { provider } = await world.provider();
    const error = await failureOf(world.passing(provider.create(aClaim('general-a'), call)));
    expect(error).toMatchObject({ code: 'node-class-not-ready' });
    expect(error.message).toContain('missing');
    expect(counts(world)).toEqual([0, 0, 0]);
  });
});

describe('a machine', () => {
  test('is made for a claim', async () => {
    await using world = await aWorld();
    const { provider } = await world.provider();
    const machine = await world.passing(provider.create(aClaim('general-a'), call));
    expect(machine).toMatchObject({
      claimName: 'general-a',
      labels: {
        [labels.instanceType]: 'Standard_D2s_v3',
        [labels.capacityType]: 'on-demand',
        [labels.zone]: 'eastus-1',
        [azureLabels.skuCpu]: '2',
      },
      capacity: { cpu: '2', pods: '250' },
      allocatable: { cpu: '1900m' },
    });
    expect(world.arm.vms()).toMatchObject([
      { providerId: machine.providerId, tags: { team: 'web/shop', 'karpenter.sh_nodepool': 'general' }, osDiskSizeGB: 128 },
    ]);
  });

  test('tells its kubelet what node it is', async () => {
    await using world = await aWorld();
    const { provider } = await world.provider();
    await world.passing(provider.create(aClaim('general-a'), call));
    const [vm] = world.arm.vms();
    const node = decodeBootstrap(vm?.osProfile.customData ?? '');
    expect(node.labels).toMatchObject({ [labels.nodePool]: 'general', [labels.zone]: 'eastus-1', [labels.doNotSyncTaints]: 'true' });
    expect(node.taints).toEqual([
      { key: 'dedicated', value: 'web', effect: 'NoSchedule' },
      { key: 'karpenter.sh/unregistered', value: undefined, effect: 'NoExecute' },
    ]);
    expect(node).toMatchObject({
      maxPods: 250,
      kubeReserved: { cpu: '100m', memory: '1843Mi' },
      evictionHard: { 'memory.available': '750Mi' },
    });
  });

  test('is taken up again after a restart, never doubled', async () => {
    await using world = await aWorld();
    const first = await world.provider();
    const made = await world.passing(first.provider.create(aClaim('general-a'), call));
    const second = await world.provider();
    const adopted = await world.passing(second.provider.create(aClaim('general-a', onDemand), call));
    expect(adopted.providerId).toBe(made.providerId);
    expect(adopted.labels).toMatchObject({ [labels.instanceType]: 'Standard_D2s_v3' });
    await world.passing(second.idle());
    expect(counts(world)).toEqual([1, 1, 1]);
  });

  test('goes with its interface and its disk', async () => {
    await using world = await aWorld();
    const azure = await world.provider();
    const claim = aClaim('general-a');
    await world.passing(azure.provider.create(claim, call));
    await world.passing(azure.idle());
    expect(counts(world)).toEqual([1, 1, 1]);
    expect(await world.passing(azure.provider.delete(claim, call))).toBe('terminating');
    await world.until(() => world.arm.vms().length === 0);
    await world.clock.advance(10_000);
    expect(await world.passing(azure.provider.delete(claim, call))).toBe('gone');
    expect(counts(world)).toEqual([0, 0, 0]);
  });

  test('is found by its provider id, and in the list once Resource Graph has caught up', async () => {
    await using world = await aWorld();
    const { provider } = await world.provider();
    const { providerId } = await world.passing(provider.create(aClaim('general-a'), call));
    await world.clock.advance(30_000);
    expect(await world.passing(provider.get(providerId, call))).toMatchObject({ claimName: 'general-a' });
    const listed = await world.passing(provider.list(call));
    expect(listed).toMatchObject([{ providerId, labels: { [labels.nodePool]: 'general' }, capacity: { cpu: '2' } }]);
    expect(await world.passing(provider.get(`${providerId}x`, call))).toBeUndefined();
  });
});

describe('what can be bought', () => {
  test('comes with the sizes, zones and prices that Azure tells', async () => {
    await using world = await aWorld();
    const { provider } = await world.provider();
    const types = await provider.getInstanceTypes(aPool, call);
    expect(types.length).toBeGreaterThan(600);
    const d2 = types.find(({ name }) => name === 'Standard_D2s_v3');
    const priceOf = (capacityType: string) => d2?.offerings.find((offering) => offering.capacityType === capacityType)?.pricePerHour ?? 0;
    expect(priceOf('on-demand')).toBe(0.096);
    expect(priceOf('spot')).toBeLessThan(0.096);
    expect(d2?.offerings.map(({ zone }) => zone)).toContain('eastus-3');
    expect(await provider.getInstanceTypes(aPool, call)).toBe(types);
  });

  test('is nothing for a pool whose class is gone', async () => {
    await using world = await aWorld();
    const { provider } = await world.provider();
    world.cluster.objects.delete('AKSNodeClass/default');
    expect(await failureOf(provider.getInstanceTypes(aPool, call))).toMatchObject({ code: 'node-class-not-ready' });
  });
});

describe('a launch that Azure refuses', () => {
  test('at once is told, and the next try for the claim buys elsewhere', async () => {
    await using world = await aWorld();
    const { provider } = await world.provider();
    world.arm.faults.add({
      operation: 'VirtualMachines_CreateOrUpdate',
      zone: '1',
      effect: { kind: 'refuse', refusal: knownRefusals.zonalAllocationFailed() },
    });
    const error = await failureOf(world.passing(provider.create(aClaim('general-a'), call)));
    expect(error).toMatchObject({ code: 'launch-failed', reason: 'ZonalAllocationFailure' });
    expect(world.arm.vms()).toEqual([]);
    const machine = await world.passing(provider.create(aClaim('general-a'), call));
    expect(machine.labels[labels.zone]).toBe('eastus-2');
    expect(counts(world)).toEqual([1, 1, 1]);
  });

  test('later ends the claim, blocks what failed, and leaves nothing behind', async () => {
    await using world = await aWorld();
    const azure = await world.provider();
    const claim = aClaim('general-a');
    world.cluster.put(claim);
    world.arm.faults.add({
      operation: 'VirtualMachines_CreateOrUpdate',
      zone: '1',
      effect: { kind: 'fail', refusal: knownRefusals.allocationFailed() },
    });
    await world.passing(azure.provider.create(claim, call));
    await world.passing(azure.idle());
    expect(world.cluster.objects.has('NodeClaim/general-a')).toBe(false);
    await world.until(() => world.arm.vms().length === 0);
    await world.passing(azure.provider.delete(claim, call));
    await world.until(() => world.arm.nics().length === 0 && world.arm.disks().length === 0);
    const next = await world.passing(azure.provider.create(aClaim('general-b'), call));
    expect(next.labels[labels.zone]).toBe('0');
  });

  test('while the controller restarts is noticed by the next one', async () => {
    await using world = await aWorld({ vmCreateMs: 600_000 });
    const claim = aClaim('general-a');
    world.cluster.put(claim);
    const first = await world.provider();
    world.arm.faults.add({
      operation: 'VirtualMachines_CreateOrUpdate',
      effect: { kind: 'fail', refusal: knownRefusals.allocationFailed() },
      times: 1,
    });
    const made = await world.passing(first.provider.create(claim, call));
    const second = await world.provider();
    expect(await world.passing(second.provider.create(claim, call))).toMatchObject({ providerId: made.providerId });
    await world.passing(second.idle());
    expect(world.cluster.objects.has('NodeClaim/general-a')).toBe(false);
    await world.until(() => world.arm.vms().length === 0);
  });

  test('for want of anything that fits gives the claim up', async () => {
    await using world = await aWorld();
    const { provider } = await world.provider();
    const error = await failureOf(
      world.passing(provider.create(aClaim('general-a', D2, { key: labels.zone, operator: 'In', values: ['mars-1'] }), call)),
    );
    expect(error).toMatchObject({ code: 'insufficient-capacity' });
  });

  test('by throttling says how long to wait', async () => {
    await using world = await aWorld();
    const { provider } = await world.provider();
    world.arm.faults.add({
      operation: 'VirtualMachines_CreateOrUpdate',
      effect: { kind: 'refuse', refusal: knownRefusals.tooManyRequests(600) },
      times: 1,
    });
    const error = await failureOf(world.passing(provider.create(aClaim('general-a'), call)));
    expect(error).toMatchObject({ code: 'throttled', retryAfterMs: 600_000 });
  });

  test('with a lost connection is made all the same: the next try finds the machine', async () => {
    await using world = await aWorld();
    const { provider } = await world.provider();
    world.arm.faults.add({ operation: 'VirtualMachines_CreateOrUpdate', effect: { kind: 'reset', when: 'after' }, times: 1 });
    await world.passing(provider.create(aClaim('general-a'), call));
    expect(counts(world)).toEqual([1, 1, 1]);
  });
});

describe('what is left over', () => {
  test('is collected: the interface that Azure reserved for a machine it then refused', async () => {
    await using world = await aWorld();
    const azure = await world.provider();
    world.arm.faults.add({
      operation: 'VirtualMachines_CreateOrUpdate',
      effect: { kind: 'refuse', refusal: knownRefusals.allocationFailed() },
    });
    await failureOf(world.passing(azure.provider.create(aClaim('general-a'), call)));
    expect(counts(world)).toEqual([0, 1, 0]);
    expect(await world.passing(azure.provider.delete(aClaim('general-a'), call))).toBe('gone');
    await world.clock.advance(300_000);
    await world.passing(collect(azure));
    await world.until(() => world.arm.nics().length === 0);
  });

  test('is collected: a machine whose claim is gone, and then its interface', async () => {
    await using world = await aWorld();
    const azure = await world.provider();
    await world.passing(azure.provider.create(aClaim('general-a'), call));
    await world.passing(azure.idle());
    await world.clock.advance(600_000);
    await world.passing(collect(azure));
    await world.until(() => counts(world).every((count) => count === 0));
  });

  test('spares what has a claim', async () => {
    await using world = await aWorld();
    const azure = await world.provider();
    const claim = aClaim('general-a');
    world.cluster.put(claim);
    await world.passing(azure.provider.create(claim, call));
    await world.passing(azure.idle());
    await world.clock.advance(600_000);
    await world.passing(collect(azure));
    await world.clock.advance(600_000);
    expect(counts(world)).toEqual([1, 1, 1]);
  });
});
