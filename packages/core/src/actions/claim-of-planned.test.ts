import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { claimName } from './claim-creation.ts';

/** A name that the API server takes for a NodePool: a DNS subdomain. */
const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?$/);
const poolName = fc.array(label, { minLength: 1, maxLength: 6 }).map((labels) => labels.join('.'));

test('the name of a claim is a DNS label with room for a prefix, whatever its pool is called', () => {
  fc.assert(
    fc.property(poolName, fc.string(), (pool, seed) => {
      expect(claimName(pool, seed)).toMatch(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/);
      expect(claimName(pool, seed).length).toBeLessThanOrEqual(55);
    }),
  );
});

test('pools whose names differ by a dot have claims of other names', () => {
  expect(claimName('a.b.c', '1')).not.toBe(claimName('a-b-c', '1'));
});
