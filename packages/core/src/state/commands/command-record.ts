import type { NodeClaim } from '../../apis/index.ts';

/**
 * On a replacement's NodeClaim: the command that it was made for, as JSON. A controller that restarts goes on with the
 * command from it. Differs: the original forgets its commands at a restart: nodes that wait for a replacement are
 * opened again, and another is bought.
 */
export const REPLACES_ANNOTATION = 'karpenter.sh/replaces';

/** What is to be known of a command that others began. */
export interface CommandRecord {
  readonly id: string;
  readonly method: string;
  readonly reason: string;
  readonly startedMs: number;
  /** Names of the NodeClaims that are to go. */
  readonly candidates: readonly string[];
  /** How many NodeClaims carry this record. */
  readonly replacements: number;
  readonly savingsPerHour: number;
}

const isRecord = (value: unknown): value is CommandRecord => {
  const { id, method, reason, startedMs, candidates, replacements, savingsPerHour } = (value ?? {}) as Record<string, unknown>;
  return (
    [id, method, reason].every((each) => typeof each === 'string') &&
    [startedMs, replacements, savingsPerHour].every((each) => typeof each === 'number') &&
    Array.isArray(candidates)
  );
};

/** As the annotation says it. */
export const commandRecordText = (record: CommandRecord): string => JSON.stringify(record);

/** The command that a claim was made for; `undefined` for one made for pods, and for a text that somebody else wrote there. */
export const commandRecordOf = ({ metadata }: NodeClaim): CommandRecord | undefined => {
  const text = metadata.annotations?.[REPLACES_ANNOTATION];
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
};
