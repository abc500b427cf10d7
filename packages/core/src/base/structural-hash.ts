import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { compareText } from './ordering.ts';

const OFFSET = 0xcbf29ce484222325n;
const PRIME = 0x100000001b3n;

const isZero = (text: string): boolean => text === '' || text === '{}' || text === '[]';

const textOf = (value: unknown): string => {
  if (value === undefined || value === null || value === '' || value === 0 || value === false) return '';
  if (Array.isArray(value)) return `[${value.map(textOf).sort(compareText).join(',')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const fields = Object.entries(value)
    .map(([key, field]): readonly [string, string] => [key, textOf(field)])
    .filter(([, text]) => !isZero(text))
    .sort(([a], [b]) => compareText(a, b));
  return `{${fields.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(',')}}`;
};

/**
 * A 64-bit hash of plain JSON, as a decimal text: the same for values that mean the same.
 *
 * The rule: FNV-1a over the UTF-16 code units of the value as JSON. Fields are sorted by name, the elements of a list
 * by their text (a list is a set). A field that is absent, null, `""`, `0`, `false`, `{}` or `[]` is left out: a
 * field that is added later changes no hash while it is unset.
 */
export const structuralHash = (value: unknown): string => {
  let hash = OFFSET;
  const text = textOf(value);
  for (let i = 0; i < text.length; i++) hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(i))) * PRIME);
  return hash.toString();
};

const DIGEST = 'sha256-';

/**
 * The text as a key: unchanged up to so many characters, else its SHA-256. A map then never keeps the text of a whole
 * pod. Equal for equal texts; different ones of well-formed Unicode get different keys, however they are chosen.
 * Costs about 12 ms a megabyte.
 */
export const textKey = (text: string, mostCharacters: number): string =>
  text.length > mostCharacters ? DIGEST + bytesToHex(sha256(utf8ToBytes(text))) : text;

/** Whether `textKey` made the key of a text that is longer than it may be. Of a text that begins like a digest too. */
export const isDigestKey = (key: string): boolean => key.startsWith(DIGEST);
