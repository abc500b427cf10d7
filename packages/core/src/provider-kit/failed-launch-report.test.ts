import { describe, expect, test } from '@jest/globals';
import { CloudProviderError, failedLaunchOf } from '../cloudprovider/index.ts';
import { FakeCluster } from '../ports/fixtures/fake-cluster.ts';
import { reportFailedLaunch } from './failed-launch-report.ts';

const options = { signal: new AbortController().signal };

const readReport = async (error: CloudProviderError): Promise<ReturnType<typeof failedLaunchOf>> => {
  const cluster = new FakeCluster();
  cluster.seed('NodeClaim', { metadata: { name: 'a', annotations: { other: 'stays' } } });
  await reportFailedLaunch(cluster, { claimName: 'a', error }, options);
  const claim = cluster.caches.nodeClaims.get({ name: 'a' });
  expect(claim?.metadata.annotations).toMatchObject({ other: 'stays' });
  return claim && failedLaunchOf(claim);
};

describe('a launch that failed after it was accepted', () => {
  test.each<[string, CloudProviderError, ReturnType<typeof failedLaunchOf>]>([
    [
      'is reported with its reason and all lines of its message',
      new CloudProviderError('launch-failed', 'the script failed:\nexit 50', { reason: 'BootstrapScriptFailed' }),
      { cause: 'BootstrapScriptFailed', message: 'the script failed:\nexit 50', isOutOfStock: false },
    ],
    [
      'for want of capacity says so',
      new CloudProviderError('insufficient-capacity', 'sold out', { reason: 'AllocationFailure' }),
      { cause: 'AllocationFailure', message: 'sold out', isOutOfStock: true },
    ],
    [
      'without a reason has one that a condition can carry',
      new CloudProviderError('forbidden', ''),
      { cause: 'LaunchFailed', message: '', isOutOfStock: false },
    ],
  ])('%s', async (...[, error, expected]) => {
    expect(await readReport(error)).toEqual(expected);
  });

  test('is nothing to a claim that is gone', async () => {
    const cluster = new FakeCluster();
    await reportFailedLaunch(cluster, { claimName: 'a', error: new CloudProviderError('network', 'no') }, options);
    expect(cluster.writes).toEqual([]);
  });

  test.each([undefined, '', 'sold-out'])('is not what a claim says by %p', (written) => {
    const annotations = written === undefined ? {} : { 'karpenter.sh/failed-launch': written };
    expect(failedLaunchOf({ metadata: { name: 'a', annotations } })).toBeUndefined();
  });
});
