import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { labels, type NodeClaim } from '@karpenter/core';
import { type KwokCluster, startKwokCluster } from '../testing/kwok-cluster.ts';

const { signal } = new AbortController();

const aClaim = (name: string): NodeClaim => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodeClaim',
  metadata: { name, creationTimestamp: '2026-06-01T00:00:00Z', labels: { [labels.nodePool]: 'general' } },
  spec: {
    requirements: [{ key: labels.instanceType, operator: 'In', values: ['c-4x-amd64-linux'] }],
    nodeClassRef: { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'default' },
    resources: { requests: { cpu: '1' } },
  },
});

let cluster: KwokCluster;
beforeEach(async () => {
  cluster = await startKwokCluster();
});
afterEach(async () => {
  await cluster[Symbol.asyncDispose]();
});

const launch = (name: string, provider = cluster.provider) => cluster.run(() => provider.create(aClaim(name), { signal }));
const nodeNames = (): readonly string[] => cluster.nodes().map(({ metadata }) => metadata.name);
const afterSeconds = (seconds: number): Promise<void> => cluster.run(() => cluster.clock.sleep(seconds * 1000));

describe('a machine', () => {
  test('joins as a Node that kwok keeps alive, closed until core has registered it', async () => {
    await launch('web');
    await afterSeconds(1);
    expect(cluster.nodes()).toMatchObject([
      {
        metadata: {
          name: 'web',
          labels: { 'kwok.x-k8s.io/node': 'fake', [labels.instanceType]: 'c-4x-amd64-linux', 'karpenter.kwok.sh/instance-family': 'c' },
          annotations: { 'kwok.x-k8s.io/node': 'fake' },
        },
        spec: { providerID: 'kwok://web', taints: expect.arrayContaining([expect.objectContaining({ key: 'karpenter.sh/unregistered' })]) },
        status: { capacity: { cpu: '4', memory: '8Gi', pods: '64' } },
      },
    ]);
  });

  test('joins after the delay of its NodeClass, and is listed before', async () => {
    cluster.setSpec({ nodeRegistrationDelay: '30s' });
    await launch('web');
    await afterSeconds(20);
    expect(nodeNames()).toEqual([]);
    expect((await cluster.run(() => cluster.provider.list({ signal }))).map(({ claimName }) => claimName)).toEqual(['web']);
    await afterSeconds(20);
    expect(nodeNames()).toEqual(['web']);
  });

  test('never joins where all of them fail', async () => {
    cluster.setSpec({ failures: { neverJoinsPercent: 100 } });
    await launch('web');
    await afterSeconds(1200);
    expect(nodeNames()).toEqual([]);
  });

  test('is refused for want of capacity where all launches are', async () => {
    cluster.setSpec({ failures: { outOfStockPercent: 100 } });
    await expect(launch('web')).rejects.toMatchObject({ code: 'insufficient-capacity' });
    await afterSeconds(1);
    expect(nodeNames()).toEqual([]);
  });

  test('vanishes within an hour where all of them do', async () => {
    cluster.setSpec({ failures: { vanishesPercentPerHour: 100 } });
    const { providerId } = await launch('web');
    await afterSeconds(3600);
    expect(await cluster.run(() => cluster.provider.get(providerId, { signal }))).toBeUndefined();
    expect(nodeNames()).toEqual([]);
  });

  test('is gone once deleted, although a finalizer still holds its Node', async () => {
    const { providerId } = await launch('web');
    await afterSeconds(1);
    cluster.api.local.patch(
      { kind: 'Node', apiVersion: 'v1' },
      { name: 'web' },
      { type: 'merge', body: { metadata: { finalizers: ['karpenter.sh/termination'] } } },
    );
    expect(await cluster.run(() => cluster.provider.delete(aClaim('web'), { signal }))).toBe('gone');
    expect(nodeNames()).toEqual(['web']);
    expect(await cluster.run(() => cluster.provider.get(providerId, { signal }))).toBeUndefined();
    expect(await cluster.run(() => cluster.provider.list({ signal }))).toEqual([]);
  });
});

describe('after a restart', () => {
  test('a machine that had joined is the same one when its claim is launched again', async () => {
    const first = await launch('web');
    await afterSeconds(1);
    const again = cluster.restarted();
    expect(await launch('web', again)).toEqual(first);
    expect(nodeNames()).toEqual(['web']);
  });

  test('a machine that was booting joins when it is time', async () => {
    cluster.setSpec({ nodeRegistrationDelay: '60s' });
    const { providerId, labels: own, capacity, allocatable } = await launch('web');
    const again = cluster.restarted();
    await cluster.run(() => cluster.provider.delete(aClaim('web'), { signal }));
    const claim = aClaim('web');
    cluster.addClaim({
      ...claim,
      metadata: { ...claim.metadata, labels: { ...own } },
      status: { providerID: providerId, capacity, allocatable },
    });
    expect(await cluster.run(() => again.list({ signal }))).toMatchObject([{ claimName: 'web', labels: own }]);
    expect(nodeNames()).toEqual([]);
    await afterSeconds(60);
    expect(nodeNames()).toEqual(['web']);
  });
});
