import { describe, expect, test } from '@jest/globals';
import type { JsonSchema } from '@karpenter/core';
import { specWith } from '../testing/class-api.ts';
import type { AKSNodeClassSpec } from './aks-node-class.ts';
import { specSchema } from './crd/spec-schema.ts';
import { nodeClassHashOf } from './node-class-hash.ts';

const hash = (spec: AKSNodeClassSpec | object): string => nodeClassHashOf({ spec });

/** Path of every field of the CRD that has no fields of its own → a value of its type that says something, and another. */
const leaves = (schema: JsonSchema, path: readonly string[] = []): readonly (readonly [string, unknown, unknown])[] => {
  if (schema.properties !== undefined) return Object.entries(schema.properties).flatMap(([name, inner]) => leaves(inner, [...path, name]));
  const field = path.join('.');
  switch (schema.type) {
    case 'integer':
      return [[field, 40, 41]];
    case 'boolean':
      return [[field, true, undefined]];
    case 'array':
      return [[field, ['a'], ['a', 'b']]];
    case 'string':
      return [[field, 'a', 'b']];
    default:
      return [[field, { a: 'b' }, { a: 'c' }]];
  }
};
const fields = leaves(specSchema);

describe('the hash of an AKSNodeClass', () => {
  test('knows all fields', () => expect(fields.length).toBeGreaterThan(50));

  const IN_PLACE = ['tags', 'additionalSubnetIDs'];

  test.each(fields.filter(([field]) => !IN_PLACE.includes(field)))('changes with %s', (field, one, other) => {
    const [none, with_, without] = [hash({}), hash(specWith(field, one)), hash(specWith(field, other))];
    expect(with_).not.toBe(none);
    expect(with_).not.toBe(without);
  });

  test('does not change with tags, which change in place', () => {
    expect(fields.map(([field]) => field)).toContain('tags');
    expect(hash({ osDiskSizeGB: 128, tags: { team: 'a' } })).toBe(hash({ osDiskSizeGB: 128, tags: { team: 'b' } }));
  });

  test('does not change with further subnets, which nodes that are there need not join', () => {
    expect(hash({ additionalSubnetIDs: ['a'] })).toBe(hash({}));
  });

  test('does not change with the order of members, or with zero values', () => {
    const base = hash({ osDiskSizeGB: 128, maxPods: 30 });
    expect(hash({ maxPods: 30, osDiskSizeGB: 128 })).toBe(base);
    expect(hash({ osDiskSizeGB: 128, maxPods: 30, kubelet: {}, security: { encryptionAtHost: false } })).toBe(base);
  });

  test('takes lists as sets', () => {
    expect(hash({ kubelet: { allowedUnsafeSysctls: ['a', 'b'] } })).toBe(hash({ kubelet: { allowedUnsafeSysctls: ['b', 'a'] } }));
  });

  test('is a decimal number of 64 bits', () => {
    expect(hash({ osDiskSizeGB: 128 })).toMatch(/^\d{1,20}$/);
    expect(BigInt(hash({ osDiskSizeGB: 128 }))).toBeLessThan(2n ** 64n);
  });
});
