import { isRecord } from '@karpenter/core/internal';
/** One line of the controller's log about a decision or its outcome. */
export interface LoggedDecision {
  readonly atMs: number;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

const parse = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
};

/** The decision that a JSON log line reports; undefined for anything that is not a JSON object with a message and a time. */
export const decisionOf = (line: string): LoggedDecision | undefined => {
  const entry = parse(line);
  if (!isRecord(entry)) return undefined;
  const { message, time, ...fields } = entry;
  if (typeof message !== 'string' || typeof time !== 'string') return undefined;
  return { atMs: Date.parse(time), message, fields };
};
