import { describe, expect, test } from '@jest/globals';
import type { AKSNodeClassSpec } from './aks-node-class.ts';
import { nodeClassHashOf } from './node-class-hash.ts';

const hash = (spec: AKSNodeClassSpec): string => nodeClassHashOf({ spec });

describe('the hash of an AKSNodeClass', () => {
  test('changes with what machines are made by', () => {
    expect(hash({ osDiskSizeGB: 128 })).not.toBe(hash({ osDiskSizeGB: 256 }));
    expect(hash({ imageFamily: 'Ubuntu' })).not.toBe(hash({ imageFamily: 'AzureLinux' }));
  });

  test('does not change with tags, with the order of members, or with zero values', () => {
    const base = hash({ osDiskSizeGB: 128, maxPods: 30 });
    expect(hash({ maxPods: 30, osDiskSizeGB: 128, tags: { team: 'a' } })).toBe(base);
    expect(hash({ osDiskSizeGB: 128, maxPods: 30, kubelet: {}, security: { encryptionAtHost: false } })).toBe(base);
  });

  test('takes lists as sets', () => {
    expect(hash({ kubelet: { allowedUnsafeSysctls: ['a', 'b'] } })).toBe(hash({ kubelet: { allowedUnsafeSysctls: ['b', 'a'] } }));
  });
});
