import { describe, expect, test } from '@jest/globals';
import type { NodeClaim, NodePool } from '@karpenter/core';
import { labels } from '@karpenter/core';
import type { FakeClock } from '@karpenter/runtime';
import { fakeClock } from '@karpenter/runtime';
import type { LocalApi } from '@karpenter/api-server';
import { startEmbeddedCluster } from '../cluster/assembly/start-embedded-cluster.ts';
import { nodes } from '../cluster/objects/node.ts';
import type { SimulatedCloudProvider } from './create-simulated-cloud-provider.ts';
import { createSimulatedCloudProvider } from './create-simulated-cloud-provider.ts';
import { startNodeClassReadiness } from './node-class-readiness.ts';
import { SIMULATED_NODE_CLASS_CRD, simulatedNodeClasses } from './simulated-node-class.ts';

interface World extends AsyncDisposable {
  readonly provider: SimulatedCloudProvider;
  readonly clock: FakeClock;
  readonly api: LocalApi;
  launch(claim: NodeClaim): Promise<unknown>;
}

const signal = new AbortController().signal;
const pool = {} as NodePool;

const aWorld = async (): Promise<World> => {
  const clock = fakeClock();
  const cluster = await startEmbeddedCluster({ clock, azure: false, systemPool: false, crds: [SIMULATED_NODE_CLASS_CRD] });
  const api = cluster.local;
  const provider = createSimulatedCloudProvider({ local: api, clock, kubelets: cluster.kubelets });
  cluster.addCloud(provider.cloud);
  const readiness = startNodeClassReadiness(api, clock);
  api.create({
    apiVersion: 'karpenter.simulated.test/v1',
    kind: 'SimulatedNodeClass',
    metadata: { name: 'default' },
    spec: { image: 'v1' },
  });
  await clock.advance(10);
  const launch = async (claim: NodeClaim): Promise<unknown> => {
    const result = provider.create(claim, { signal }).then(
      (machine) => machine.labels[labels.instanceType],
      (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
    );
    await clock.advance(2_000);
    return result;
  };
  const stop = async (): Promise<void> => {
    readiness[Symbol.dispose]();
    await cluster.stop();
  };
  return { provider, clock, api, launch, [Symbol.asyncDispose]: stop };
};

const aClaim = (name: string, spec: Partial<NodeClaim['spec']> = {}, status: NodeClaim['status'] = {}): NodeClaim => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodeClaim',
  metadata: { name, labels: { [labels.nodePool]: 'general' } },
  spec: {
    requirements: [],
    resources: { requests: { cpu: '3' } },
    nodeClassRef: { group: 'karpenter.simulated.test', kind: 'SimulatedNodeClass', name: 'default' },
    ...spec,
  },
  status,
});

const onDemand = { requirements: [{ key: labels.capacityType, operator: 'In' as const, values: ['on-demand'] }] };

describe('the simulated cloud', () => {
  test('launches the cheapest machine that fits, whose node registers unregistered and initialised by the cloud', async () => {
    await using world = await aWorld();
    expect(await world.launch(aClaim('general-1', { taints: [{ key: 'team', effect: 'NoSchedule' }] }))).toBe('sim-g4p');
    await world.clock.advance(60_000);
    const node = world.api.get(nodes, { name: 'general-1' });
    expect(node?.spec?.taints?.map((taint) => taint.key)).toEqual(['team', 'karpenter.sh/unregistered']);
    expect(node?.spec?.providerID).toBe('simulated:///general-1');
    expect(node?.metadata.labels).toMatchObject({ [labels.nodePool]: 'general', [labels.zone]: 'sim-1', [labels.capacityType]: 'spot' });
  });

  test('creates one machine for one claim, however often it is called', async () => {
    await using world = await aWorld();
    const claim = aClaim('general-1');
    await Promise.all([world.launch(claim), world.launch(claim)]);
    await world.launch(claim);
    expect(await world.provider.list({ signal })).toHaveLength(1);
  });

  test('says terminating until the machine is gone, and its node goes with it', async () => {
    await using world = await aWorld();
    const claim = aClaim('general-1');
    await world.launch(claim);
    await world.clock.advance(60_000);
    expect(await world.provider.delete(claim, { signal })).toBe('terminating');
    expect(await world.provider.get('simulated:///general-1', { signal })).toMatchObject({ isTerminating: true });
    await world.clock.advance(120_000);
    expect(await world.provider.delete(claim, { signal })).toBe('gone');
    expect(await world.provider.get('simulated:///general-1', { signal })).toBeUndefined();
    expect(world.api.list(nodes)).toEqual([]);
  });

  test('remembers what is out of stock for three minutes, and takes the next best meanwhile', async () => {
    await using world = await aWorld();
    world.provider.faults.add({ fault: { kind: 'insufficient-capacity' }, instanceType: 'sim-g4p', zone: 'sim-1', times: 1 });
    const before = await world.provider.getInstanceTypes(pool, { signal });
    expect(await world.launch(aClaim('a', onDemand))).toBe('insufficient-capacity');
    const blocked = (await world.provider.getInstanceTypes(pool, { signal }))
      .flatMap(({ name, offerings }) => offerings.map((offering) => ({ name, ...offering })))
      .filter(({ isAvailable }) => !isAvailable);
    expect(blocked.map(({ name, zone, capacityType }) => [name, zone, capacityType])).toEqual([['sim-g4p', 'sim-1', 'on-demand']]);
    await world.launch(aClaim('a', onDemand));
    expect((await world.provider.list({ signal }))[0]?.labels[labels.zone]).toBe('sim-2');
    await world.clock.advance(180_000);
    expect(
      (await world.provider.getInstanceTypes(pool, { signal }))
        .flatMap(({ offerings }) => offerings)
        .every(({ isAvailable }) => isAvailable),
    ).toBe(true);
    expect(before).toHaveLength(28);
  });

  test('hands out the same catalog until something changes', async () => {
    await using world = await aWorld();
    expect(await world.provider.getInstanceTypes(pool, { signal })).toBe(await world.provider.getInstanceTypes(pool, { signal }));
  });

  test.each([
    { fault: { kind: 'failing', message: 'boom' } as const, expected: 'launch-failed' },
    { fault: { kind: 'throttled', retryAfterMs: 1_000 } as const, expected: 'throttled' },
    { fault: { kind: 'offering-unavailable' } as const, expected: 'offering-unavailable' },
  ])('refuses a launch with the fault that is set: $expected', async ({ fault, expected }) => {
    await using world = await aWorld();
    world.provider.faults.add({ fault, times: 1 });
    expect(await world.launch(aClaim('a'))).toBe(expected);
    expect(await world.launch(aClaim('a'))).toBe('sim-g4p');
  });

  test('accepts a launch that fails later, and reports the failure until the machine is deleted', async () => {
    await using world = await aWorld();
    world.provider.faults.add({ fault: { kind: 'failing', message: 'boom', laterMs: 3_000 }, times: 1 });
    expect(await world.launch(aClaim('a'))).toBe('sim-g4p');
    expect(world.provider.lateFailures).toEqual([]);
    await world.clock.advance(60_000);
    expect(world.provider.lateFailures).toMatchObject([{ claimName: 'a', error: { code: 'launch-failed', message: 'boom' } }]);
    expect(world.api.list(nodes)).toEqual([]);
    await world.provider.delete(aClaim('a'), { signal });
    await world.clock.advance(60_000);
    expect(world.provider.lateFailures).toEqual([]);
  });

  test('a lost machine exists and never becomes a node', async () => {
    await using world = await aWorld();
    world.provider.faults.add({ fault: { kind: 'lost' } });
    await world.launch(aClaim('a'));
    await world.clock.advance(300_000);
    expect(await world.provider.list({ signal })).toHaveLength(1);
    expect(world.api.list(nodes)).toEqual([]);
  });

  test('launches nothing for a claim whose NodeClass is not there, and says so', async () => {
    await using world = await aWorld();
    const nodeClassRef = { group: 'karpenter.simulated.test', kind: 'SimulatedNodeClass', name: 'other' };
    expect(await world.launch(aClaim('a', { nodeClassRef }))).toBe('node-class-not-ready');
  });

  test('sees a machine of an old image as drifted', async () => {
    await using world = await aWorld();
    await world.launch(aClaim('a'));
    const claim = aClaim('a', {}, { providerID: 'simulated:///a' });
    expect(await world.provider.isDrifted(claim, { signal })).toBeUndefined();
    world.api.patch(simulatedNodeClasses, { name: 'default' }, { type: 'merge', body: { spec: { image: 'v2' } } });
    expect(await world.provider.isDrifted(claim, { signal })).toBe('ImageDrift');
  });

  test('its NodeClass is ready as soon as it is there', async () => {
    await using world = await aWorld();
    expect(world.api.get(simulatedNodeClasses, { name: 'default' })?.status?.conditions).toMatchObject([{ type: 'Ready', status: 'True' }]);
  });
});
