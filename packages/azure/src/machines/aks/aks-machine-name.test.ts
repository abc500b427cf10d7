import { describe, expect, test } from '@jest/globals';
import { aksMachineNameIn, aksMachineNameOf } from './aks-machine-name.ts';

describe('the name of a machine in an agent pool', () => {
  test('is that of its claim', () => {
    expect(aksMachineNameOf('aks-general-x7k2p')).toBe('general-x7k2p');
  });

  test('has 34 characters at most: what is too long loses its middle and keeps what chance has given', () => {
    const long = 'aks-a-node-pool-with-quite-a-long-name-x7k2p';
    expect(aksMachineNameOf(long)).toMatch(/^a-node-pool-with-quite[0-9a-z]{6}-x7k2p$/);
    expect(aksMachineNameOf(long)).toHaveLength(34);
    expect(aksMachineNameOf(long)).not.toBe(aksMachineNameOf('aks-a-node-pool-with-quite-a-short-name-x7k2p'));
    expect(aksMachineNameOf(`aks-${aksMachineNameOf(long)}`)).toBe(aksMachineNameOf(long));
  });

  // By the original's `GetAKSMachineNameFromNodeClaimName`.
  test.each([
    ['a-node-pool-with-quite-a-long-name-x7k2p', 'a-node-pool-with-quitexq179a-x7k2p'],
    ['123456789-123456789-123456789-a1b2c', '123456789-123456789-12zc32rh-a1b2c'],
    ['123456789-123456789-12345678X-a1b2c', '123456789-123456789-12zc32sc-a1b2c'],
    ['123456789-123456789-123456789-123456789-a1b2c', '123456789-123456789-12jnxp47-a1b2c'],
    ['123456789-123456789-12345678-a1b2c', '123456789-123456789-12345678-a1b2c'],
  ])('of %s is the one that the original gives it: a machine with a long name is found, and deleted', (claim, name) => {
    expect(aksMachineNameOf(`aks-${claim}`)).toBe(name);
  });

  test('is in the name of its VM', () => {
    expect(aksMachineNameIn('aks-machines-general-x7k2p-12345678-vm', 'machines')).toBe('general-x7k2p');
    expect(aksMachineNameIn('aks-general-x7k2p', 'general')).toBeUndefined();
    expect(aksMachineNameIn('aks-other-general-x7k2p-12345678-vm', 'machines')).toBeUndefined();
  });
});
