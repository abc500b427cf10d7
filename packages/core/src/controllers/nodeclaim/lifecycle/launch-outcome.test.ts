import { describe, expect, test } from '@jest/globals';
import { CloudProviderError } from '../../../cloudprovider/index.ts';
import { launchOutcomeOf } from './launch.ts';

describe('what a failed launch means for its claim', () => {
  test.each([
    ['insufficient-capacity', { kind: 'abandoned', reason: 'insufficient_capacity', message: 'no', cause: 'QuotaReached' }],
    ['node-class-not-ready', { kind: 'abandoned', reason: 'nodeclass_not_ready', message: 'no', cause: 'NodeClassNotReady' }],
    ['launch-refused', { kind: 'abandoned', reason: 'launch_refused', message: 'no', cause: 'QuotaReached' }],
    ['offering-unavailable', { kind: 'retry', reason: 'QuotaReached', message: 'no', afterMs: 0, isOfPool: true, picksAnother: true }],
    ['launch-failed', { kind: 'retry', reason: 'QuotaReached', message: 'no', afterMs: 0, isOfPool: true, picksAnother: false }],
    ['forbidden', { kind: 'retry', reason: 'QuotaReached', message: 'no', afterMs: 0, isOfPool: true, picksAnother: false }],
    ['network', { kind: 'retry', reason: 'QuotaReached', message: 'no', afterMs: 0, isOfPool: false, picksAnother: false }],
  ] as const)('%s', (code, expected) => {
    expect(launchOutcomeOf(new CloudProviderError(code, 'no', { reason: 'QuotaReached' }))).toEqual(expected);
  });

  test('throttled waits as long as the cloud asked', () => {
    const error = new CloudProviderError('throttled', 'slow down', { retryAfterMs: 7000 });
    expect(launchOutcomeOf(error)).toEqual({
      ...{ kind: 'retry', reason: 'LaunchFailed', message: 'slow down' },
      ...{ afterMs: 7000, isOfPool: false, picksAnother: false },
    });
  });
});
