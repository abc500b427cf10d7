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

/**
 * Decimal text of a 64-bit hash over what machines are made by: a class's spec, without what is changed in place. The
 * same for specs that mean the same: the order of members and of lists, and members that say nothing, make no
 * difference.
 */
export const specHashOf = (spec: object): string => fnv64(canonical(spec)).toString();
