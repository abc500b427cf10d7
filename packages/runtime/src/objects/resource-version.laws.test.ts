import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { keyString, parseKey } from './object-key.ts';
import { compareResourceVersions } from './kube-object.ts';

test('versions are ordered as the numbers they are, beyond 2^53 too', () => {
  const version = fc.bigInt({ min: 0n, max: 2n ** 80n });
  fc.assert(
    fc.property(version, version, (a, b) => {
      expect(Math.sign(compareResourceVersions(String(a), String(b)))).toBe(a < b ? -1 : a > b ? 1 : 0);
    }),
  );
});

test('a key reads back as what it was written from', () => {
  const name = fc.stringMatching(/^[a-z0-9.-]{1,20}$/);
  fc.assert(
    fc.property(fc.option(name, { nil: undefined }), name, (namespace, own) => {
      const key = namespace === undefined ? { name: own } : { namespace, name: own };
      expect(parseKey(keyString(key))).toEqual(key);
    }),
  );
});
