import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { structuralHash } from './structural-hash.ts';

const plain = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, fc.string(), fc.integer(), fc.boolean(), tie('list'), tie('record')),
  list: fc.array(tie('value'), { maxLength: 4 }),
  record: fc.dictionary(fc.string(), tie('value'), { maxKeys: 4 }),
})).value;

const turned = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(turned).reverse();
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, field]): [string, unknown] => [key, turned(field)])
      .reverse(),
  );
};

describe('a structural hash', () => {
  test('does not see the order of fields and elements', () => {
    fc.assert(fc.property(plain, (value) => expect(structuralHash(turned(value))).toBe(structuralHash(value))));
  });

  test('does not see a field without content', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), plain), fc.constantFrom(undefined, null, '', 0, false, [], {}), (value, nothing) =>
        expect(structuralHash({ 'a field': { ...value, later: nothing } })).toBe(
          structuralHash({ 'a field': { ...value, later: undefined } }),
        ),
      ),
    );
  });

  test('sees a value that changes', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), plain), fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (...[rest, a, b]) => {
        fc.pre(a !== b);
        expect(structuralHash({ ...rest, field: a })).not.toBe(structuralHash({ ...rest, field: b }));
      }),
    );
  });

  test('stays what it is: clusters remember it', () =>
    expect([structuralHash({}), structuralHash({ labels: { team: 'a' }, taints: [{ key: 'gpu', effect: 'NoSchedule' }] })])
      .toMatchInlineSnapshot(`
     [
       "645223143103797797",
       "3704107351242051075",
     ]
    `));
});
