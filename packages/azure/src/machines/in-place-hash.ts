import { machineTags } from './machine-tags.ts';

/** What of a machine changes while it runs. */
export interface InPlaceGoal {
  readonly tags: Readonly<Record<string, string>>;
  readonly identityIds: readonly string[];
}

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

const byKey = ([a]: readonly [string, string], [b]: readonly [string, string]): number => (a < b ? -1 : 1);

/**
 * Decimal text of a 32-bit hash of the goal, whatever order it is written in, and whatever class the machine was made by. On a claim: what its machine was last brought to.
 */
export const inPlaceHashOf = ({ tags, identityIds }: InPlaceGoal): string => {
  const changing = Object.entries(tags).filter(([key]) => key !== machineTags.nodeClassHash);
  const text = JSON.stringify({ identities: [...identityIds].sort(), tags: changing.sort(byKey) });
  let hash = FNV_OFFSET;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, FNV_PRIME);
  return String(hash >>> 0);
};
