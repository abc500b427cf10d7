import { structuralHash } from '@karpenter/core';
import { claimNameOf } from '../machine-names.ts';

const LONGEST = 34;
const HASH_LENGTH = 6;

const shortHash = (text: string): string => BigInt(structuralHash(text)).toString(36).padStart(HASH_LENGTH, '0').slice(-HASH_LENGTH);

/**
 * The name in an agent pool of the machine that elsewhere is `aks-<claim>`: that of its claim. What is too long loses the end of its prefix
 * to a hash and keeps what chance has given to it.
 */
export const aksMachineNameOf = (machineName: string): string => {
  const name = claimNameOf(machineName) ?? machineName;
  if (name.length <= LONGEST) return name;
  const dash = name.lastIndexOf('-');
  const ending = name.slice(dash);
  const kept = LONGEST - ending.length - HASH_LENGTH;
  return `${name.slice(0, kept)}${shortHash(name.slice(kept, dash))}${ending}`;
};

/** The machine that a VM of an agent pool is; undefined for a VM that is none. Its name there is `aks-<pool>-<machine>-<8 digits>-vm`. */
export const aksMachineNameIn = (vmName: string, pool: string): string | undefined => {
  const prefix = `aks-${pool}-`;
  return vmName.startsWith(prefix) ? /^(.+)-[0-9a-z]{8}-vm$/.exec(vmName.slice(prefix.length))?.[1] : undefined;
};
