import { describe, expect, test } from '@jest/globals';
import { fakeClock, runSingleton, settled, silentLogger } from '@karpenter/runtime';
import type { MetricLabels, Metrics } from '../../ports/index.ts';
import { CloudProviderError } from '../../cloudprovider/index.ts';
import type { CloudProvider } from '../../cloudprovider/index.ts';
import { measuredProvider } from './provider-wrappers.ts';

const { signal } = new AbortController();

const aMeasuredProvider = (provider: Partial<CloudProvider>) => {
  const reported: { readonly name: string; readonly labels: MetricLabels | undefined; readonly value?: number }[] = [];
  const clock = fakeClock();
  const metrics: Metrics = {
    counter: ({ name }) => ({ increment: (labels) => void reported.push({ name, labels }) }),
    gauge: () => ({ set: () => undefined }),
    histogram: ({ name }) => ({ observe: (value, labels) => void reported.push({ name, labels, value }) }),
  };
  return { reported, clock, measured: measuredProvider({ name: 'test', ...provider } as CloudProvider, { metrics, clock }) };
};

describe('a measured provider', () => {
  test('answers as the provider does, and says how long it took', async () => {
    const { reported, clock, measured } = aMeasuredProvider({
      list: async () => {
        await clock.sleep(1500);
        return [];
      },
    });
    const answer = measured.list({ signal });
    await clock.advance(1500);
    expect(await answer).toEqual([]);
    expect(reported).toEqual([
      { name: 'karpenter_cloudprovider_duration_seconds', labels: { controller: '', method: 'List', provider: 'test' }, value: 1.5 },
    ]);
  });

  test('says which controller called', async () => {
    const { reported, clock, measured } = aMeasuredProvider({ list: () => Promise.resolve([]) });
    const reconcile = async () => {
      await measured.list({ signal });
      return settled;
    };
    await runSingleton({ name: 'nodeclaim.garbagecollection', reconcile }, { clock, logger: silentLogger, onBug: () => undefined }, signal);
    expect(reported).toMatchObject([{ labels: { controller: 'nodeclaim.garbagecollection', method: 'List' } }]);
  });

  test.each([
    ['throttled', 'throttled'],
    ['insufficient-capacity', 'InsufficientCapacityError'],
    ['node-class-not-ready', 'NodeClassNotReadyError'],
  ] as const)('fails as the provider does, and counts %s as %s', async (code, name) => {
    const { reported, measured } = aMeasuredProvider({ get: () => Promise.reject(new CloudProviderError(code, 'no')) });
    await expect(measured.get('1', { signal })).rejects.toMatchObject({ code });
    expect(reported).toContainEqual({
      name: 'karpenter_cloudprovider_errors_total',
      labels: { controller: '', method: 'Get', provider: 'test', error: name },
    });
  });
});
