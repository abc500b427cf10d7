import { fakeClock } from '@karpenter/runtime';
import type { FakeClock } from '@karpenter/runtime';
import { describe, expect, test } from '@jest/globals';
import { defaultLabelCatalog, labels } from '../../apis/index.ts';
import type { NodeClaim, NodeOverlay, NodePool } from '../../apis/index.ts';
import type { InstanceType } from '../../catalog/index.ts';
import { FakeCluster } from '../../ports/fixtures/fake-cluster.ts';
import { labelRequirements } from '../../requirements/index.ts';
import { CloudProviderError } from '../../cloudprovider/index.ts';
import type { CloudProvider } from '../../cloudprovider/index.ts';
import { turnsDuring } from '../fixtures/fake-shell.ts';
import { overlaidProvider } from './overlaid-provider.ts';
import { overlayVersion, OverlayVerdicts } from './overlay-evaluator.ts';

const { signal } = new AbortController();

const typeNamed = (name: string): InstanceType => ({
  name,
  capacity: { cpu: 4000 },
  overhead: {},
  requirements: labelRequirements({ [labels.instanceType]: name }),
  offerings: [
    { zone: '1', capacityType: 'spot', pricePerHour: 2, isAvailable: true, requirements: labelRequirements({ [labels.zone]: '1' }) },
  ],
});

const pool: NodePool = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'web' },
  spec: { template: { spec: { requirements: [], nodeClassRef: { group: 'g', kind: 'K', name: 'n' } } } },
};

const acceptedOverlay = (name: string, spec: Partial<NodeOverlay['spec']>): NodeOverlay => ({
  apiVersion: 'karpenter.sh/v1alpha1',
  kind: 'NodeOverlay',
  metadata: { name, generation: 1 },
  spec: { requirements: [{ key: labels.instanceType, operator: 'In', values: ['a'] }], ...spec },
});

const claim: NodeClaim = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodeClaim',
  metadata: { name: 'web-1', labels: { [labels.nodePool]: 'web' } },
  spec: { requirements: [], nodeClassRef: { group: 'g', kind: 'K', name: 'n' } },
};

/** Each time is later than a slice may last: others have their turn after each step. */
const hastyClock = (): FakeClock => {
  let nowMs = 0;
  return { ...fakeClock(0), now: () => (nowMs += 1000) };
};

const world = (...overlays: readonly NodeOverlay[]) => {
  const cluster = new FakeCluster();
  cluster.seed('NodePool', pool);
  for (const each of overlays) cluster.seed('NodeOverlay', each);
  const sold = { types: [typeNamed('a'), typeNamed('b')] as readonly InstanceType[] };
  const launches: (readonly InstanceType[])[] = [];
  const atLaunch = { notice: (): void => undefined };
  const provider: CloudProvider = {
    name: 'test',
    getSupportedNodeClasses: () => [],
    labelCatalog: defaultLabelCatalog,
    repairPolicies: [],
    registrationHooks: [],
    ...{ launchTimeoutMs: 1000, defaultTerminationGracePeriod: '1h', unsupportedVolumes: {} },
    interruptionOf: () => ({ reason: 'Preempt', deadlineMs: 1 }),
    create: (wanted, { asPlanned }) => {
      atLaunch.notice();
      launches.push(asPlanned?.(wanted, sold.types) ?? []);
      return Promise.resolve({
        ...{ providerId: 'p', labels: { [labels.instanceType]: 'a' } },
        ...{ capacity: { cpu: '4' }, allocatable: { cpu: '3' } },
      });
    },
    delete: () => Promise.resolve('gone'),
    get: () => Promise.resolve(undefined),
    list: () => Promise.resolve([]),
    getInstanceTypes: () => Promise.resolve(sold.types),
    isDrifted: () => Promise.resolve(undefined),
  };
  const verdicts = new OverlayVerdicts();
  const overlaid = overlaidProvider(provider, {
    overlays: cluster.kind('NodeOverlay'),
    nodePools: cluster.kind('NodePool'),
    verdicts,
    clock: hastyClock(),
  });
  const publish = (...inForce: readonly NodeOverlay[]): void =>
    verdicts.publish({ nodePools: new Set(['web']), inForce: new Set(inForce.map(overlayVersion)) });
  const types = (): Promise<readonly InstanceType[]> => overlaid.getInstanceTypes(pool, { signal });
  const launch = async (wanted: NodeClaim, notice = (): void => undefined) => {
    atLaunch.notice = notice;
    await overlaid.create(wanted, { signal });
    return launches.at(-1);
  };
  return { cluster, sold, provider, overlaid, publish, types, launch };
};

const dear = acceptedOverlay('dear', { price: '9' });

describe('a provider under NodeOverlays', () => {
  test('keeps the abilities that not every provider has', () => {
    const { provider, overlaid } = world();
    const { registrationHooks, launchTimeoutMs, defaultTerminationGracePeriod, unsupportedVolumes } = provider;
    expect(overlaid).toMatchObject({ registrationHooks, launchTimeoutMs, defaultTerminationGracePeriod, unsupportedVolumes });
    expect(overlaid.interruptionOf?.({ metadata: { name: 'n' } })).toEqual({ reason: 'Preempt', deadlineMs: 1 });
  });

  test('without any is the provider itself', async () => {
    const { types, sold } = world();
    expect(await types()).toBe(sold.types);
  });

  test('offers a pool nothing until its types were checked, and says so', async () => {
    await expect(world(dear).types()).rejects.toMatchObject({
      code: 'node-pool-unevaluated',
      message: 'NodePool "web" launches nothing until the NodeOverlays have been evaluated for its instance types',
    });
  });

  test('changes nothing by overlays that are not in force', async () => {
    const { types, sold, publish } = world(dear);
    publish();
    expect(await types()).toBe(sold.types);
  });

  test('has the prices of those in force', async () => {
    const { types, publish } = world(dear);
    publish(dear);
    expect((await types()).map(({ offerings }) => offerings[0]?.pricePerHour)).toEqual([9, 2]);
  });

  test('keeps the devices of types, offered and launched', async () => {
    const { types, publish, sold, launch } = world(dear);
    const dynamicResources = { resourceSliceTemplates: [{ driver: 'gpu.example.com', pool: 'gpus', devices: [{ name: 'gpu-0' }] }] };
    sold.types = [{ ...typeNamed('a'), dynamicResources }, typeNamed('b')];
    publish(dear);
    const devicesOf = (all: readonly InstanceType[] = []) => all.map((each) => [each.name, each.dynamicResources]);
    const expected = [
      ['a', dynamicResources],
      ['b', undefined],
    ];
    expect(devicesOf(await types())).toEqual(expected);
    expect(devicesOf(await launch(claim))).toEqual(expected);
  });

  test('gives the same objects as long as nothing changes, and the same types where only others changed', async () => {
    const { types, publish, sold } = world(dear);
    publish(dear);
    const first = await types();
    publish(dear);
    expect(await types()).toBe(first);
    sold.types = [...sold.types.slice(0, 1), typeNamed('b')];
    const second = await types();
    expect(second).not.toBe(first);
    expect(second[0]).toBe(first[0]);
  });

  test('applies overlays in slices: others have their turn after each type', async () => {
    const { types, publish, sold } = world(dear);
    sold.types = Array.from({ length: 50 }, (_, index) => typeNamed(`t-${index}`));
    publish(dear);
    expect(await turnsDuring(types)).toBeGreaterThanOrEqual(50);
  });

  test('gives two who ask at the same time the same objects', async () => {
    const { types, publish } = world(dear);
    publish(dear);
    const [one, other] = await Promise.all([types(), types()]);
    expect(one).toBe(other);
  });

  test('has applied overlays before the provider launches, which cannot wait: to no type in one go', async () => {
    const { publish, launch, sold } = world(dear);
    let reads = 0;
    const counted = typeNamed('a');
    const get = (key: string) => {
      reads += 1;
      return counted.requirements.get(key);
    };
    sold.types = [{ ...counted, requirements: Object.assign(new Map(counted.requirements), { get }) }];
    publish(dear);
    const launched = launch(claim, () => {
      reads = 0;
    });
    expect((await launched)?.map(({ offerings }) => offerings[0]?.pricePerHour)).toEqual([9]);
    expect(reads).toBe(0);
  });

  test('launches although the provider cannot say what it offers', async () => {
    const { publish, launch, provider, sold } = world(dear);
    provider.getInstanceTypes = () => Promise.reject(new CloudProviderError('network', 'no answer'));
    publish(dear);
    expect((await launch(claim))?.map(({ name }) => name)).toEqual(sold.types.map(({ name }) => name));
  });

  test('forgets the old wording of an overlay at once', async () => {
    const { types, publish, sold, cluster } = world(dear);
    publish(dear);
    cluster.seed('NodeOverlay', { ...dear, metadata: { name: 'dear', generation: 2 } });
    expect(await types()).toBe(sold.types);
  });

  test('lets a launch pick among the very types that were planned with, whether a plan was made since the start or not', async () => {
    const fuses = acceptedOverlay('fuses', { capacity: { 'a.com/fuse': '2' } });
    const { publish, types, launch } = world(dear, fuses);
    publish(dear, fuses);
    const picked = await launch(claim);
    expect(picked).toMatchObject([
      { capacity: { 'a.com/fuse': 2 }, offerings: [{ pricePerHour: 9 }] },
      { offerings: [{ pricePerHour: 2 }] },
    ]);
    expect(await types()).toBe(picked);
  });

  test('lets no launch pick before the types of its pool were checked', async () => {
    await expect(world(dear).launch(claim)).rejects.toMatchObject({ code: 'node-pool-unevaluated' });
  });

  test('lets a claim whose pool is gone have the types as they are', async () => {
    const { publish, launch, sold } = world(dear);
    publish(dear);
    expect(await launch({ ...claim, metadata: { name: 'lost', labels: { [labels.nodePool]: 'gone' } } })).toBe(sold.types);
  });

  test('launches machines that have what the overlays say, before their nodes say so', async () => {
    const fast = acceptedOverlay('fast', { capacity: { 'a.com/fuse': '2' } });
    const { types, publish, overlaid } = world(fast);
    publish(fast);
    await types();
    expect(await overlaid.create(claim, { signal })).toMatchObject({
      capacity: { cpu: '4', 'a.com/fuse': '2' },
      allocatable: { cpu: '3', 'a.com/fuse': '2' },
    });
  });
});
