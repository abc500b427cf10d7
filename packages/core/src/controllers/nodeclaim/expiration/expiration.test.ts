import { describe, expect, test } from '@jest/globals';
import type { NodeClaim } from '../../../apis/index.ts';
import { expiryOf } from './expiration.ts';

const HOUR = 3_600_000;
const bornMs = Date.parse('2026-01-01T00:00:00Z');
const aClaim = (expireAfter: string | undefined, metadata: Partial<NodeClaim['metadata']> = {}): NodeClaim => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodeClaim',
  metadata: { name: 'a', creationTimestamp: '2026-01-01T00:00:00Z', ...metadata },
  spec: { requirements: [], nodeClassRef: { group: 'g', kind: 'K', name: 'n' }, ...(expireAfter === undefined ? {} : { expireAfter }) },
});

describe('the expiry of a claim', () => {
  test.each([
    ['is never when it says so', aClaim('Never'), 1000 * HOUR, { kind: 'never' }],
    ['is never when it says nothing', aClaim(undefined), 1000 * HOUR, { kind: 'never' }],
    ['is as far away as its age leaves', aClaim('10h'), 4 * HOUR, { kind: 'later', inMs: 6 * HOUR }],
    ['is due at the moment itself', aClaim('10h'), 10 * HOUR, { kind: 'due' }],
    [
      'is nobody’s business once the claim goes',
      aClaim('10h', { deletionTimestamp: '2026-01-01T01:00:00Z' }),
      11 * HOUR,
      { kind: 'never' },
    ],
  ])('%s', (...[, claim, ageMs, expected]) => {
    expect(expiryOf(claim, bornMs + ageMs)).toEqual(expected);
  });
});
