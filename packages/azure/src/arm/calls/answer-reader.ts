import type { Logger } from '@karpenter/runtime';
import { listOf } from './shape.ts';

/** Reads a list in an answer item by item; `read` gives undefined for what is not as it should be. */
export type AnswerReader = <T>(kind: string, items: unknown, read: (item: unknown) => T | undefined) => readonly T[];

/**
 * Leaves out items that cannot be parsed and keeps the rest. Logs it once for each kind of item. `logger` absent: does
 * not log.
 */
export const answerReader = (logger?: Pick<Logger, 'warn'>): AnswerReader => {
  const reported = new Set<string>();
  return (kind, items, read) => {
    const found = listOf(items).map((item) => ({ item, value: read(item) }));
    const odd = found.filter(({ value }) => value === undefined);
    if (odd.length > 0 && !reported.has(kind)) {
      reported.add(kind);
      const first = JSON.stringify(odd[0]?.item).slice(0, 200);
      logger?.warn('an answer of Azure has items that cannot be read; they are left out', { kind, count: odd.length, first });
    }
    return found.flatMap(({ value }) => (value === undefined ? [] : [value]));
  };
};
