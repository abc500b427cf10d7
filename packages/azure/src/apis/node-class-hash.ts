import type { AKSNodeClass } from './aks-node-class.ts';

/**
 * Version of how the hash below is made. It differs from the original's (`v3`), so that a cluster that comes over is migrated by the hash
 * controller and no node drifts for it.
 */
export const NODE_CLASS_HASH_VERSION = 'ts-v1';

const isZero = (value: unknown): boolean =>
  value === undefined || value === null || value === false || value === 0 || value === '' || value === '[]' || value === '{}';

/** One text for values that mean the same: keys in order, lists as sets, zero values left out. */
const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).sort().join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value)
      .map(([key, member]): [string, unknown] => [key, typeof member === 'object' ? canonical(member) : member])
      .filter(([, member]) => !isZero(member))
      .map(([key, member]) => `${JSON.stringify(key)}:${typeof member === 'string' ? member : JSON.stringify(member)}`);
    return `{${members.sort().join(',')}}`;
  }
  return JSON.stringify(value);
};

const fnv64 = (text: string): bigint => {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash;
};

/** Decimal text of a 64-bit hash over what machines are made by: the spec without its tags, which change in place. */
export const nodeClassHashOf = (nodeClass: Pick<AKSNodeClass, 'spec'>): string =>
  fnv64(canonical({ ...nodeClass.spec, tags: undefined })).toString();
