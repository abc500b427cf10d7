import { describeCloudProvider } from '@karpenter/testkit/contract';
import { INTERRUPTION_ANNOTATION } from '../machines/interruption.ts';
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
