import { createHash } from 'node:crypto';

/** As Kubernetes names what it generates: no vowels, no digits that look like letters. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX_LENGTH = 8;
/** Short enough that a provider may put up to eight characters before it and still has a hostname (63 characters). */
const MAX_NAME_LENGTH = 55;

/**
 * A claim's name: its pool's, and eight letters that follow from `seed`. It is a DNS label, because clouds make
 * hostnames of it: dots, which the name of a pool may have, become dashes. The same attempt to create it gives the same
 * name, so that trying again after a lost answer finds the first one instead of making a second.
 */
export const claimName = (nodePoolName: string, seed: string): string => {
  const digest = createHash('sha256').update(nodePoolName).update('\n').update(seed).digest();
  const suffix = [...digest.subarray(0, SUFFIX_LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
  const label = nodePoolName.replaceAll('.', '-').slice(0, MAX_NAME_LENGTH - SUFFIX_LENGTH - 1);
  return `${label}-${suffix}`;
};
