import { describe, expect, jest, test } from '@jest/globals';
import { type CloudProviderError, labels } from '@karpenter/core';
import { decodeBootstrap, knownRefusals } from '@karpenter/azure-emulator';
import { type AKSNodeClass, azureAnnotations, azureLabels, nodeClassConditions } from '../apis/index.ts';
import { aClaim, D2, onDemand } from '../testing/a-claim.ts';
import { aNodeClass, aPool, type AzureWorld, azureWorld, resolveClasses, unendingCall } from '../testing/azure-world.ts';
import { failedLaunchIn } from '../testing/failed-launch-in.ts';
import type { NamedObject } from '../testing/fake-cluster.ts';
import type { AzureProvider } from '../plugin/create-azure-provider.ts';

// Real HTTP on a busy machine takes its time.
jest.setTimeout(60_000);

const collect = async ({ singletons }: AzureProvider): Promise<void> => {
  for (const controller of singletons.filter(({ name }) => name.endsWith('garbagecollection'))) await controller.reconcile(unendingCall);
};

const counts = ({ arm }: AzureWorld): readonly number[] => [arm.vms().length, arm.nics().length, arm.disks().length];

/** The next VM is refused for ten minutes. */
const throttledOnce = ({ arm }: AzureWorld): void => {
  const refusal = knownRefusals.tooManyRequests(600);
  arm.faults.add({ operation: 'VirtualMachines_CreateOrUpdate', effect: { kind: 'refuse', refusal }, times: 1 });
};

const failureOf = async (promise: Promise<unknown>): Promise<CloudProviderError> => {
  try {
    await promise;
  } catch (error) {
    return error as CloudProviderError;
  }
  throw new Error('it succeeded');
};

test('when the first read of prices has a bug › it is logged, and the process goes on', async () => {
  const onWarning = (message: string): void => {
    if (message.startsWith('prices could not be read')) throw new TypeError('a bug of the read');
  };
  await using world = await azureWorld({ onWarning, variables: { RETAIL_PRICES_URL: 'https://127.0.0.1:1/prices' } });
  await world.provider().catch(() => undefined);
  const isLogged = (line: string): boolean => line.includes("level: 'error'") && line.includes('a bug of the read');
  expect(world.observed.lines.filter(isLogged)).toEqual([expect.stringContaining('prices could not be read; the last ones stay')]);
});

describe('a node class', () => {
  test('is resolved to a Kubernetes version and images, and becomes ready', async () => {
    await using world = await azureWorld();
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
    await using world = await azureWorld();
    const azure = await world.provider();
    const before = world.cluster.nodeClass();
    await world.passing(resolveClasses(azure, world.cluster));
    expect(world.cluster.nodeClass()?.status).toBe(before?.status);
  });

  test('whose subnet does not exist is not ready, and nothing is launched from it', async () => {
    await using world = await azureWorld();
    const missing = world.arm.account.subnetId.replace(/[^/]+$/, 'missing');
    world.cluster.put({ ...aNodeClass(), spec: { vnetSubnetID: missing } } as AKSNodeClass & NamedObject);
    const { provider } = await world.provider();
    const error = await failureOf(world.passing(provider.create(aClaim('general-a'), unendingCall)));
    expect(error).toMatchObject({ code: 'node-class-not-ready' });
    expect(error.message).toContain('missing');
    expect(counts(world)).toEqual([0, 0, 0]);
  });
});

describe('a machine', () => {
  test('is made for a claim', async () => {
    await using world = await azureWorld();
    const { provider } = await world.provider();
    const machine = await world.passing(provider.create(aClaim('general-a'), unendingCall));
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

  test('configures its kubelet: labels, taints, pods and reserved resources', async () => {
    await using world = await azureWorld();
    const { provider } = await world.provider();
    await world.passing(provider.create(aClaim('general-a'), unendingCall));
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
    await using world = await azureWorld();
    const first = await world.provider();
    const made = await world.passing(first.provider.create(aClaim('general-a'), unendingCall));
    const second = await world.provider();
    const adopted = await world.passing(second.provider.create(aClaim('general-a', onDemand), unendingCall));
    expect(adopted.providerId).toBe(made.providerId);
    expect(adopted.labels).toMatchObject({ [labels.instanceType]: 'Standard_D2s_v3' });
    await world.passing(second.idle());
    expect(counts(world)).toEqual([1, 1, 1]);
  });

  test('goes with its interface and its disk', async () => {
    await using world = await azureWorld();
    const azure = await world.provider();
    const claim = aClaim('general-a');
    await world.passing(azure.provider.create(claim, unendingCall));
    await world.passing(azure.idle());
    expect(counts(world)).toEqual([1, 1, 1]);
    expect(await world.passing(azure.provider.delete(claim, unendingCall))).toBe('terminating');
    await world.until(() => world.arm.vms().length === 0);
    await world.clock.advance(10_000);
    expect(await world.passing(azure.provider.delete(claim, unendingCall))).toBe('gone');
    expect(counts(world)).toEqual([0, 0, 0]);
  });

  test('is found by its provider id, and in the list once Resource Graph has caught up', async () => {
    await using world = await azureWorld();
    const { provider } = await world.provider();
    const { providerId } = await world.passing(provider.create(aClaim('general-a'), unendingCall));
    await world.clock.advance(30_000);
    expect(await world.passing(provider.get(providerId, unendingCall))).toMatchObject({ claimName: 'general-a' });
    const listed = await world.passing(provider.list(unendingCall));
    expect(listed).toMatchObject([{ providerId, labels: { [labels.nodePool]: 'general' }, capacity: { cpu: '2' } }]);
    expect(await world.passing(provider.get(`${providerId}x`, unendingCall))).toBeUndefined();
  });
});

describe('what can be bought', () => {
  test('is nothing in a region that nobody has: the provider does not start', async () => {
    await using world = await azureWorld({ variables: { LOCATION: 'eastsu' } });
    await expect(world.provider()).rejects.toMatchObject({ name: 'StartError', message: expect.stringContaining('LOCATION "eastsu"') });
  });

  test('has the sizes, zones and prices that Azure lists', async () => {
    await using world = await azureWorld({ sizes: 'all' });
    const { provider } = await world.provider();
    const types = await provider.getInstanceTypes(aPool, unendingCall);
    expect(types.length).toBeGreaterThan(600);
    const d2 = types.find(({ name }) => name === 'Standard_D2s_v3');
    const priceOf = (capacityType: string) => d2?.offerings.find((offering) => offering.capacityType === capacityType)?.pricePerHour ?? 0;
    expect(priceOf('on-demand')).toBe(0.096);
    expect(priceOf('spot')).toBeLessThan(0.096);
    expect(d2?.offerings.map(({ zone }) => zone)).toContain('eastus-3');
    expect(await provider.getInstanceTypes(aPool, unendingCall)).toBe(types);
  });

  test('is nothing for a pool whose class is gone', async () => {
    await using world = await azureWorld();
    const { provider } = await world.provider();
    world.cluster.objects.delete('AKSNodeClass/default');
    expect(await failureOf(provider.getInstanceTypes(aPool, unendingCall))).toMatchObject({ code: 'node-class-not-ready' });
  });
});

describe('a launch that Azure refuses', () => {
  test('at once is reported, and the next try for the claim buys elsewhere', async () => {
    await using world = await azureWorld();
    const { provider } = await world.provider();
    world.arm.faults.add({
      operation: 'VirtualMachines_CreateOrUpdate',
      zone: '1',
      effect: { kind: 'refuse', refusal: knownRefusals.zonalAllocationFailed() },
    });
    const error = await failureOf(world.passing(provider.create(aClaim('general-a'), unendingCall)));
    expect(error).toMatchObject({ code: 'offering-unavailable', reason: 'ZonalAllocationFailure' });
    expect(world.arm.vms()).toEqual([]);
    const machine = await world.passing(provider.create(aClaim('general-a'), unendingCall));
    expect(machine.labels[labels.zone]).toBe('eastus-2');
    expect(counts(world)).toEqual([1, 1, 1]);
    expect(world.arm.requests.count('NetworkInterfaces_CreateOrUpdate')).toBe(1);
    const tried = {
      image: expect.stringMatching(/^\/CommunityGalleries\/.*\/versions\//),
      ...{ size: 'Standard_D2s_v3', zone: 'eastus-1', capacity_type: 'on-demand', nodepool: 'general' },
    };
    expect(world.observed.counted('karpenter_instance_vm_create_start_total')).toEqual([tried, { ...tried, zone: 'eastus-2' }]);
    expect(world.observed.counted('karpenter_instance_vm_create_failure_total')).toEqual([
      { ...tried, phase: 'sync', error_code: 'ZonalAllocationFailed' },
    ]);
  });

  test('later ends the claim, blocks what failed, and leaves nothing behind', async () => {
    await using world = await azureWorld();
    const azure = await world.provider();
    const claim = aClaim('general-a');
    world.cluster.put(claim);
    world.arm.faults.add({
      operation: 'VirtualMachines_CreateOrUpdate',
      zone: '1',
      effect: { kind: 'fail', refusal: knownRefusals.allocationFailed() },
    });
    await world.passing(azure.provider.create(claim, unendingCall));
    await world.passing(azure.idle());
    expect(failedLaunchIn(world, 'general-a')).toMatchObject({ cause: 'AllocationFailure', isOutOfStock: true });
    await world.until(() => world.arm.vms().length === 0);
    await world.passing(azure.provider.delete(claim, unendingCall));
    await world.until(() => world.arm.nics().length === 0 && world.arm.disks().length === 0);
    const next = await world.passing(azure.provider.create(aClaim('general-b'), unendingCall));
    expect(next.labels[labels.zone]).toBe('0');
    expect(world.observed.counted('karpenter_instance_vm_create_failure_total')).toMatchObject([
      { phase: 'async', error_code: 'AllocationFailed' },
    ]);
  });

  test('is not asked for when no image of the class runs on the size: that is counted by the family', async () => {
    await using world = await azureWorld();
    const { provider } = await world.provider();
    const resolved = world.cluster.nodeClass() as ReturnType<typeof aNodeClass>;
    const images = resolved.status?.images?.filter(({ id }) => id.includes('arm64')) ?? [];
    world.cluster.put({ ...resolved, status: { ...resolved.status, images } } as ReturnType<typeof aNodeClass>);
    const error = await failureOf(world.passing(provider.create(aClaim('general-a'), unendingCall)));
    expect(error).toMatchObject({ code: 'launch-failed', reason: 'ImageNotFound' });
    expect(world.observed.counted('karpenter_image_selection_error_count')).toEqual([{ family: 'Ubuntu2204' }]);
    expect(world.arm.requests.count('NetworkInterfaces_CreateOrUpdate')).toBe(0);
  });

  test('while the controller restarts is noticed by the next one', async () => {
    await using world = await azureWorld({ latencies: { vmCreateMs: 600_000 } });
    const claim = aClaim('general-a');
    world.cluster.put(claim);
    const first = await world.provider();
    world.arm.faults.add({
      operation: 'VirtualMachines_CreateOrUpdate',
      effect: { kind: 'fail', refusal: knownRefusals.allocationFailed() },
      times: 1,
    });
    const made = await world.passing(first.provider.create(claim, unendingCall));
    const second = await world.provider();
    expect(await world.passing(second.provider.create(claim, unendingCall))).toMatchObject({ providerId: made.providerId });
    await world.passing(second.idle());
    expect(failedLaunchIn(world, 'general-a')).toMatchObject({ cause: 'AllocationFailure', isOutOfStock: true });
    await world.until(() => world.arm.vms().length === 0);
  });

  test('when nothing fits abandons the claim', async () => {
    await using world = await azureWorld();
    const { provider } = await world.provider();
    const error = await failureOf(
      world.passing(provider.create(aClaim('general-a', D2, { key: labels.zone, operator: 'In', values: ['mars-1'] }), unendingCall)),
    );
    expect(error).toMatchObject({ code: 'insufficient-capacity' });
  });

  test('by throttling says how long to wait', async () => {
    await using world = await azureWorld();
    const { provider } = await world.provider();
    throttledOnce(world);
    const error = await failureOf(world.passing(provider.create(aClaim('general-a'), unendingCall)));
    expect(error).toMatchObject({ code: 'throttled', retryAfterMs: 600_000 });
  });

  test('because Azure is not well is retried only now and then, while other calls go on, and succeeds when Azure is well again', async () => {
    await using world = await azureWorld();
    const { provider } = await world.provider();
    const create = 'VirtualMachines_CreateOrUpdate';
    const unwell = world.arm.faults.add({ operation: create, effect: { kind: 'refuse', refusal: knownRefusals.internalError() } });
    const claims = Array.from({ length: 20 }, (_, i) => aClaim(`general-${i}`));
    for (const claim of claims) await failureOf(world.passing(provider.create(claim, unendingCall)));
    expect(world.arm.requests.count(create)).toBeLessThan(20);
    const error = await failureOf(world.passing(provider.create(aClaim('general-a'), unendingCall)));
    expect(error).toMatchObject({ code: 'throttled', reason: 'CircuitOpen' });
    expect(error.message).toMatch(/^no writes of Microsoft.Compute for \d+ s, because so many failed; the last: /);
    expect(await world.passing(provider.list(unendingCall))).toEqual([]);
    unwell[Symbol.dispose]();
    await world.clock.advance(error.retryAfterMs ?? 0);
    await world.passing(provider.create(aClaim('general-a'), unendingCall));
    expect(world.arm.vms()).toHaveLength(1);
  });

  test('with a lost connection is made all the same: the next try finds the machine', async () => {
    await using world = await azureWorld();
    const { provider } = await world.provider();
    world.arm.faults.add({ operation: 'VirtualMachines_CreateOrUpdate', effect: { kind: 'reset', when: 'after' }, times: 1 });
    await world.passing(provider.create(aClaim('general-a'), unendingCall));
    expect(counts(world)).toEqual([1, 1, 1]);
  });
});

describe('a machine whose image is no longer the newest', () => {
  test('has drifted once its class has seen the new version, and not before', async () => {
    await using world = await azureWorld();
    const azure = await world.provider();
    const claim = aClaim('general-a');
    const { imageId, annotations } = await world.passing(azure.provider.create(claim, unendingCall));
    const launched = { ...claim, metadata: { ...claim.metadata, annotations: { ...annotations } }, status: { imageID: imageId ?? '' } };
    const [, gallery = '', definition = ''] = /CommunityGalleries\/([^/]+)\/images\/([^/]+)/.exec(imageId ?? '') ?? [];
    world.arm.images.publish({ gallery, definition, version: '209901.01.0', publishedAtMs: Date.UTC(2099, 0, 1) });
    await world.passing(resolveClasses(azure, world.cluster));
    expect(await azure.provider.isDrifted(launched, unendingCall)).toBeUndefined();
    await world.clock.advance(3 * 24 * 3_600_000);
    await world.passing(resolveClasses(azure, world.cluster));
    expect(await azure.provider.isDrifted(launched, unendingCall)).toBe('ImageDrift');
  });
});

describe('what a person has to mend', () => {
  test('is reported: the role that is missing, and where', async () => {
    await using world = await azureWorld();
    const { provider } = await world.provider();
    const action = 'Microsoft.Network/virtualNetworks/subnets/join/action';
    const message = `The client 'a' with object id 'a' does not have authorization to perform action '${action}' over scope '${world.arm.account.subnetId}' or the scope is invalid.`;
    world.arm.faults.add({
      operation: 'NetworkInterfaces_CreateOrUpdate',
      effect: { kind: 'refuse', refusal: { status: 403, error: { code: 'AuthorizationFailed', message } } },
    });
    const error = await failureOf(world.passing(provider.create(aClaim('general-a'), unendingCall)));
    expect(error).toMatchObject({ code: 'forbidden' });
    for (const part of ['Network Contributor', action, world.arm.account.subnetId]) expect(error.message).toContain(part);
    expect(counts(world)).toEqual([0, 0, 0]);
  });

  test('is nothing when a token expires: a new one is requested', async () => {
    await using world = await azureWorld();
    const azure = await world.provider();
    await world.passing(azure.provider.create(aClaim('general-a'), unendingCall));
    world.arm.revokeTokens();
    await world.passing(azure.provider.create(aClaim('general-b'), unendingCall));
    await world.passing(azure.idle());
    expect(counts(world)).toEqual([2, 2, 2]);
  });
});

describe('a claim that is new since the start', () => {
  const fresh = (world: AzureWorld) => {
    const claim = aClaim('general-a');
    return { ...claim, metadata: { ...claim.metadata, creationTimestamp: new Date(world.clock.now()).toISOString() } };
  };

  test('is launched without asking for its machine first', async () => {
    await using world = await azureWorld();
    const { provider } = await world.provider();
    await world.passing(provider.create(fresh(world), unendingCall));
    expect(world.arm.requests.count('VirtualMachines_Get')).toBe(0);
    expect(world.arm.requests.of('VirtualMachines_CreateOrUpdate')).toMatchObject([{ headers: { 'if-none-match': '*' } }]);
  });

  test('and whose machine is there all the same (another leader made it) takes it up unchanged', async () => {
    await using world = await azureWorld();
    const first = await world.provider();
    const made = await world.passing(first.provider.create(aClaim('general-a'), unendingCall));
    await world.passing(first.idle());
    const second = await world.provider();
    const adopted = await world.passing(second.provider.create(fresh(world), unendingCall));
    expect(adopted).toMatchObject({ providerId: made.providerId, labels: made.labels });
    expect(counts(world)).toEqual([1, 1, 1]);
  });

  test('is not paid for twice when the answer to its machine was lost', async () => {
    await using world = await azureWorld();
    const azure = await world.provider();
    world.arm.faults.add({ operation: 'VirtualMachines_CreateOrUpdate', effect: { kind: 'reset', when: 'after' }, times: 1 });
    const machine = await world.passing(azure.provider.create(fresh(world), unendingCall));
    await world.passing(azure.idle());
    expect(world.arm.requests.of('VirtualMachines_CreateOrUpdate').map(({ status }) => status)).toEqual([0, 412]);
    expect(machine.claimName).toBe('general-a');
    expect(counts(world)).toEqual([1, 1, 1]);
  });

  test('does not write its interface again when its machine was throttled', async () => {
    await using world = await azureWorld();
    const { provider } = await world.provider();
    throttledOnce(world);
    const claim = fresh(world);
    expect(await failureOf(world.passing(provider.create(claim, unendingCall)))).toMatchObject({ code: 'throttled' });
    const again = await failureOf(world.passing(provider.create(claim, unendingCall)));
    expect(again).toMatchObject({ code: 'throttled' });
    expect(again.retryAfterMs).toBeGreaterThan(500_000);
    await world.clock.advance(600_000);
    await world.passing(provider.create(claim, unendingCall));
    expect(world.arm.requests.count('NetworkInterfaces_CreateOrUpdate')).toBe(1);
    expect(world.arm.requests.of('VirtualMachines_CreateOrUpdate').map(({ status }) => status)).toEqual([429, 201]);
  });
});

describe('what is left over', () => {
  test('is collected: the interface that Azure reserved for a machine it then refused', async () => {
    await using world = await azureWorld();
    const azure = await world.provider();
    world.arm.faults.add({
      operation: 'VirtualMachines_CreateOrUpdate',
      effect: { kind: 'refuse', refusal: knownRefusals.allocationFailed() },
    });
    await failureOf(world.passing(azure.provider.create(aClaim('general-a'), unendingCall)));
    expect(counts(world)).toEqual([0, 1, 0]);
    expect(await world.passing(azure.provider.delete(aClaim('general-a'), unendingCall))).toBe('gone');
    await world.clock.advance(300_000);
    await world.passing(collect(azure));
    await world.until(() => world.arm.nics().length === 0);
  });

  test('goes with its machine: one whose claim is gone is listed, and ended by what the list says of it', async () => {
    await using world = await azureWorld();
    const azure = await world.provider();
    await world.passing(azure.provider.create(aClaim('general-a'), unendingCall));
    await world.passing(azure.idle());
    const [machine] = await world.passing(azure.provider.list(unendingCall));
    if (machine?.claimName === undefined) throw new Error('A machine of a claim is listed');
    const standIn = { ...aClaim(machine.claimName), status: { providerID: machine.providerId } };
    await world.passing(azure.provider.delete(standIn, unendingCall));
    await world.until(() => counts(world).every((count) => count === 0));
  });

  test('goes with its machine, too, where the tags of the class take the names of our marks', async () => {
    await using world = await azureWorld();
    const azure = await world.provider();
    const tags = { 'karpenter.azure.com_aksmachine_nodeclaim': 'hidden', 'Karpenter.sh/NodePool': 'other', team: 'web' };
    world.cluster.put({ ...world.cluster.nodeClass(), spec: { ...aNodeClass().spec, tags } } as AKSNodeClass & NamedObject);
    await world.passing(azure.provider.create(aClaim('general-a'), unendingCall));
    await world.passing(azure.idle());
    await world.clock.advance(30_000);
    expect(world.arm.vms()[0]?.tags).toMatchObject({ team: 'web', 'karpenter.sh_nodepool': 'general' });
    expect(await world.passing(azure.provider.list(unendingCall))).toMatchObject([{ claimName: 'general-a' }]);
  });

  test('spares what has a claim', async () => {
    await using world = await azureWorld();
    const azure = await world.provider();
    const claim = aClaim('general-a');
    world.cluster.put(claim);
    await world.passing(azure.provider.create(claim, unendingCall));
    await world.passing(azure.idle());
    await world.clock.advance(600_000);
    await world.passing(collect(azure));
    await world.clock.advance(600_000);
    expect(counts(world)).toEqual([1, 1, 1]);
  });
});
