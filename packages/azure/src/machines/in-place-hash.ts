import { machineTags } from './machine-tags.ts';

/** What of a machine changes while it runs. */
export interface InPlaceGoal {
  readonly tags: Readonly<Record<string, string>>;
  readonly identityIds: readonly string[];
}

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** Tags that stay as they are while a machine runs. */
const FIXED: ReadonlySet<string> = new Set([machineTags.nodeClassHash, machineTags.claim]);

const encoder = new TextEncoder();

/** By the bytes of their UTF-8, as Go sorts the keys of a map. */
const byBytes = (left: string, right: string): number => {
  const [a, b] = [encoder.encode(left), encoder.encode(right)];
  const at = a.findIndex((byte, index) => byte !== b[index]);
  return at < 0 ? a.length - b.length : (a[at] ?? 0) - (b[at] ?? -1);
};

const HTML = /[<>&\u2028\u2029]/g;

/** JSON as Go writes it: with what HTML could take for its own escaped. */
const goText = (value: string): string =>
  JSON.stringify(value).replace(HTML, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

const objectText = (members: readonly (readonly [string, string])[]): string =>
  `{${[...members]
    .sort(([left], [right]) => byBytes(left, right))
    .map(([key, value]) => `${goText(key)}:${value}`)
    .join(',')}}`;

/**
 * Decimal text of a 32-bit hash of the goal, whatever order it is written in, and whatever class the machine was made
 * by. On a claim: what its machine was last brought to. It is the original's, so that a cluster changes hands without reading
 * any machine: FNV-1a of the JSON that `pkg/controllers/nodeclaim/inplaceupdate` hashes there.
 */
export const inPlaceHashOf = ({ tags, identityIds }: InPlaceGoal): string => {
  const identities = [...new Set(identityIds)].map((id) => [id, '{}'] as const);
  const changing = Object.entries(tags)
    .filter(([key]) => !FIXED.has(key))
    .map(([key, value]) => [key, goText(value)] as const);
  const text = objectText([
    ...(identities.length > 0 ? [['identities', objectText(identities)] as const] : []),
    ...(changing.length > 0 ? [['tags', objectText(changing)] as const] : []),
  ]);
  let hash = FNV_OFFSET;
  for (const byte of encoder.encode(text)) hash = Math.imul(hash ^ byte, FNV_PRIME);
  return String(hash >>> 0);
};
