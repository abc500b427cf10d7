import { claimNameOfMachine } from '../machine-names.ts';

const LONGEST = 34;
const HASH_LENGTH = 6;

const FNV_OFFSET = 0xcbf29ce484222325n;
const FNV_PRIME = 0x100000001b3n;

/**
 * The low six digits, to the base of 36, of FNV-1: what the original makes of the same text, so that machines are found
 * by either.
 */
const shortHash = (text: string): string => {
  let hash = FNV_OFFSET;
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(64, hash * FNV_PRIME) ^ BigInt(byte);
  return hash.toString(36).padStart(HASH_LENGTH, '0').slice(-HASH_LENGTH);
};

/**
 * The name in an agent pool of the machine that elsewhere is `aks-<claim>`: that of its claim. What is too long loses
 * the end of its prefix to a hash and keeps what chance has given to it.
 */
export const aksMachineNameOf = (machineName: string): string => {
  const name = claimNameOfMachine(machineName) ?? machineName;
  if (name.length <= LONGEST) return name;
  const dash = name.lastIndexOf('-');
  const ending = name.slice(dash);
  const kept = LONGEST - ending.length - HASH_LENGTH;
  return `${name.slice(0, kept)}${shortHash(name.slice(kept, dash))}${ending}`;
};

/**
 * The machine name in the name of an agent pool's VM, `aks-<pool>-<machine>-<8 digits>-vm`; undefined for the name of
 * another VM.
 */
export const aksMachineNameIn = (vmName: string, pool: string): string | undefined => {
  const prefix = `aks-${pool}-`;
  return vmName.startsWith(prefix) ? /^(.+)-[0-9a-z]{8}-vm$/.exec(vmName.slice(prefix.length))?.[1] : undefined;
};
