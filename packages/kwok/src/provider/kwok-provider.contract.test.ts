import { expect, test } from '@jest/globals';
import type { NodeClaim, NodePool } from '@karpenter/core';
import { describeCloudProvider } from '@karpenter/testkit/contract';
import { INTERRUPTION_ANNOTATION } from '../machines/interruption.ts';
import { bootMsOf, kwokNodeClassKind } from '../apis/kwok-node-class.ts';
import { startKwokCluster } from '../testing/kwok-cluster.ts';

describeCloudProvider(
  'kwok',
  async () => {
    const cluster = await startKwokCluster();
    return {
      provider: cluster.provider,
      nodePool: cluster.nodePool,
      run: (call) => cluster.run(call),
      cutOff: () => cluster.cutOff(),
      launchCalls: () => cluster.creates(),
      withhold: (purchase) => cluster.setSpec({ failures: { soldOut: [purchase] } }),
      outdate: () => {
        cluster.setSpec({ image: 'v2' });
        return Promise.resolve();
      },
      interruptedNode: { metadata: { name: 'general-1', annotations: { [INTERRUPTION_ANNOTATION]: '2026-06-01T00:00:30Z' } } },
      [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
    };
  },
  {
    R32: 'a machine that runs has nothing that its NodeClass changes',
    R33: 'a machine that fails does so by never joining: core deletes its claim after a quarter of an hour',
  },
);

test('what a class has sold out is in stock for the machines of another, and classes with everything in stock share their types', async () => {
  await using cluster = await startKwokCluster();
  const { provider, nodePool, api } = cluster;
  const { kind, group, version } = kwokNodeClassKind;
  api.local.create({ apiVersion: `${group}/${version}`, kind, metadata: { name: 'other' }, spec: {} });
  cluster.setSpec({ failures: { soldOut: [{}] } });
  const refOf = (name: string) => ({ group, kind, name });
  const poolOf = (name: string): NodePool => ({
    ...nodePool,
    spec: { template: { spec: { requirements: [], nodeClassRef: refOf(name) } } },
  });
  const claimOf = (name: string): NodeClaim => ({
    ...{ apiVersion: 'karpenter.sh/v1', kind: 'NodeClaim', metadata: { name } },
    spec: { requirements: [], nodeClassRef: refOf(name) },
  });
  const { signal } = new AbortController();
  await expect(cluster.run(() => provider.create(claimOf('default'), { signal }))).rejects.toMatchObject({ code: 'insufficient-capacity' });
  const soldOut = async (name: string): Promise<number> =>
    (await provider.getInstanceTypes(poolOf(name))).flatMap(({ offerings }) => offerings.filter(({ isAvailable }) => !isAvailable)).length;
  expect([await soldOut('default'), await soldOut('other')]).toEqual([1, 0]);
  const typesOf = (name: string) => provider.getInstanceTypes(poolOf(name));
  expect(await typesOf('third')).toBe(await typesOf('other'));
  await cluster.clock.advance(180_000);
  expect(await typesOf('default')).toBe(await typesOf('other'));
});

test('a delay that is longer than any duration means that the node never joins', () => {
  const classOf = (nodeRegistrationDelay: string) => ({ metadata: { name: 'a' }, spec: { nodeRegistrationDelay } }) as never;
  expect([bootMsOf(classOf('5s')), bootMsOf(classOf(`${'9'.repeat(99)}h`))]).toEqual([5000, Infinity]);
});
