import { describe, expect, test } from '@jest/globals';
import type { NodeClaim } from '../../apis/index.ts';
import { aNodeClaim } from '../../testing/objects.ts';
import { expiryOf } from './expiration.ts';

const HOUR = 3_600_000;
const bornMs = Date.parse('2026-01-01T00:00:00Z');
const expiring = (expireAfter: string | undefined, metadata: Partial<NodeClaim['metadata']> = {}): NodeClaim =>
  aNodeClaim('a', {
    metadata: { creationTimestamp: '2026-01-01T00:00:00Z', ...metadata },
    ...(expireAfter === undefined ? {} : { spec: { expireAfter } }),
  });

describe('the expiry of a claim', () => {
  test.each([
    ['is never when it says so', expiring('Never'), 1000 * HOUR, { kind: 'never' }],
    ['is never when it says nothing', expiring(undefined), 1000 * HOUR, { kind: 'never' }],
    ['is as far away as its age leaves', expiring('10h'), 4 * HOUR, { kind: 'later', inMs: 6 * HOUR }],
    ['is due at the moment itself', expiring('10h'), 10 * HOUR, { kind: 'due' }],
    [
      'when the claim is being deleted › never',
      expiring('10h', { deletionTimestamp: '2026-01-01T01:00:00Z' }),
      11 * HOUR,
      { kind: 'never' },
    ],
  ])('%s', (...[, claim, ageMs, expected]) => {
    expect(expiryOf(claim, bornMs + ageMs)).toEqual(expected);
  });
});
