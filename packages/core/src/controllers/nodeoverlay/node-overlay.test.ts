import { describe, expect, jest, test } from '@jest/globals';
import { defaultLabelCatalog, labels } from '../../apis/index.ts';
import type { NodeOverlay } from '../../apis/index.ts';
import { CloudProviderError } from '../../cloudprovider/index.ts';
import type { InstanceType } from '../../catalog/index.ts';
import { conditionOf } from '../../kube/index.ts';
import type { Condition } from '../../kube/index.ts';
import { FakeCluster } from '../../ports/fixtures/fake-cluster.ts';
import { labelRequirements } from '../../requirements/index.ts';
import { fakeShell, turnsDuring } from '../fixtures/fake-shell.ts';
import { nodeOverlay, overlaidProvider } from './overlaid-provider.ts';
import { OverlayVerdicts } from './overlay-evaluator.ts';

const { signal } = new AbortController();

const type: InstanceType = {
  name: 'a',
  capacity: { cpu: 4000 },
  overhead: {},
  requirements: labelRequirements({ [labels.instanceType]: 'a' }),
  offerings: [
    { zone: '1', capacityType: 'spot', pricePerHour: 2, isAvailable: true, requirements: labelRequirements({ [labels.zone]: '1' }) },
  ],
};
const types = [type];

const pool = (name: string) => ({
  metadata: { name, generation: 1 },
  spec: { template: { spec: { requirements: [], nodeClassRef: { group: 'test.dev', kind: 'TestNodeClass', name: 'default' } } } },
});

const overlayOfGeneration = (name: string, spec: Partial<NodeOverlay['spec']>) => ({
  metadata: { name, generation: 1 },
  spec: { requirements: [{ key: labels.instanceType, operator: 'In' as const, values: ['a'] }], ...spec },
});

const world = (...overlays: readonly ReturnType<typeof overlayOfGeneration>[]) => {
  const cluster = new FakeCluster();
  cluster.seed('NodePool', pool('web'));
  for (const each of overlays) cluster.seed('NodeOverlay', each);
  const failing = new Set<string>();
  const shell = fakeShell(cluster, {
    labelCatalog: defaultLabelCatalog,
    getInstanceTypes: ({ metadata: { name } }) =>
      failing.has(name) ? Promise.reject(new CloudProviderError('network', 'no answer')) : Promise.resolve(types),
  });
  const verdicts = new OverlayVerdicts();
  const cache = cluster.kind('NodeOverlay');
  const provider = overlaidProvider(shell.provider, { overlays: cache, nodePools: cluster.kind('NodePool'), verdicts, clock: shell.clock });
  const controller = nodeOverlay(shell, { overlays: cache, provider: shell.provider, verdicts });
  const reconcileAll = async (): Promise<void> => {
    for (const each of cache.list()) await controller.reconcile(each, { signal });
  };
  const sold = (name: string) => provider.getInstanceTypes(cluster.kind('NodePool').get({ name }), { signal });
  const condition = (name: string, kind: string): Condition | undefined =>
    conditionOf(cluster.caches.nodeOverlays?.get({ name })?.status?.conditions, kind);
  const said = (name: string): Condition | undefined => condition(name, 'ValidationSucceeded');
  const isReady = (name: string): Condition | undefined => condition(name, 'Ready');
  return { cluster, shell, failing, reconcileAll, sold, said, isReady };
};

describe('nodeoverlay', () => {
  test('puts a sound overlay in force and says so', async () => {
    const { reconcileAll, sold, said, isReady } = world(overlayOfGeneration('free', { price: '0' }));
    await reconcileAll();
    expect(said('free')).toMatchObject({ status: 'True', reason: 'ValidationSucceeded' });
    expect(isReady('free')).toMatchObject({ status: 'True' });
    expect((await sold('web'))[0]?.offerings[0]?.pricePerHour).toBe(0);
  });

  test('when an overlay triggers a bug › leaves it out by name, and puts the others in force', async () => {
    const { cluster, shell, reconcileAll, sold } = world(overlayOfGeneration('free', { price: '0' }));
    cluster.kind('NodeOverlay').put({ metadata: { name: 'odd', generation: 1 }, spec: null } as never);
    await reconcileAll();
    expect((await sold('web'))[0]?.offerings[0]?.pricePerHour).toBe(0);
    expect(shell.reported).toContainEqual(
      expect.objectContaining({ kind: 'quarantined', subjects: [expect.objectContaining({ kind: 'NodeOverlay', name: 'odd' })] }),
    );
  });

  test('leaves a malformed one out and names field, value and what would do', async () => {
    const { reconcileAll, sold, said, isReady } = world(overlayOfGeneration('bad', { price: '1', capacity: { cpu: '4' } }));
    await reconcileAll();
    expect(said('bad')).toMatchObject({
      status: 'False',
      reason: 'RuntimeValidation',
      message: 'spec.capacity.cpu: "4" is for the provider to say; an overlay may state extended resources only',
    });
    expect(isReady('bad')).toMatchObject({ status: 'False' });
    expect(await sold('web')).toBe(types);
  });

  test('applies one of two that conflict, and names it in the condition of the other', async () => {
    const { reconcileAll, sold, said } = world(overlayOfGeneration('a', { price: '1' }), overlayOfGeneration('b', { price: '3' }));
    await reconcileAll();
    expect(said('b')).toMatchObject({ status: 'True' });
    expect(said('a')).toMatchObject({
      status: 'False',
      reason: 'Conflict',
      message: 'conflict with NodeOverlay "b" of the same weight: both state the price of instance type a',
    });
    expect((await sold('web'))[0]?.offerings[0]?.pricePerHour).toBe(3);
  });

  test('settles a conflict when the other overlay goes', async () => {
    const { cluster, reconcileAll, said } = world(overlayOfGeneration('a', { price: '1' }), overlayOfGeneration('b', { price: '3' }));
    await reconcileAll();
    await cluster.delete('NodeOverlay', { name: 'b' });
    await reconcileAll();
    expect(said('a')).toMatchObject({ status: 'True' });
  });

  test('judges in slices: others have their turn meanwhile', async () => {
    const overlays = Array.from({ length: 30 }, (_, index) => overlayOfGeneration(`o-${index}`, { price: '1', weight: index + 1 }));
    const { shell, reconcileAll } = world(...overlays);
    let nowMs = 0;
    jest.spyOn(shell.clock, 'now').mockImplementation(() => (nowMs += 1000));
    expect(await turnsDuring(reconcileAll)).toBeGreaterThanOrEqual(30);
  });

  test('writes nothing when nothing changed', async () => {
    const { cluster, reconcileAll } = world(overlayOfGeneration('free', { price: '0' }));
    await reconcileAll();
    const before = cluster.writes.length;
    await reconcileAll();
    expect(cluster.writes).toHaveLength(before);
  });

  test('keeps a pool out while its provider does not answer, and no other; fails, so that the loop retries with backoff', async () => {
    const { cluster, failing, reconcileAll, sold } = world(overlayOfGeneration('free', { price: '0' }));
    cluster.seed('NodePool', pool('db'));
    failing.add('db');
    await expect(reconcileAll()).rejects.toMatchObject({ code: 'network' });
    failing.clear();
    await expect(sold('db')).rejects.toMatchObject({ code: 'node-pool-unevaluated' });
    expect((await sold('web'))[0]?.offerings[0]?.pricePerHour).toBe(0);
    await reconcileAll();
    expect((await sold('db'))[0]?.offerings[0]?.pricePerHour).toBe(0);
  });
});
