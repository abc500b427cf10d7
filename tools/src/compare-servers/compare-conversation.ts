import type { ServerAnswer } from './answers.ts';
import { differenceOf } from './answers.ts';
import type { CreateComparison } from './compare-creates.ts';
import type { Conversation } from './conversations.ts';
import { requestText } from './conversations.ts';

/**
 * What differs between the wanted answers of a conversation and the given ones. A known difference that is no more
 * counts as an unknown one.
 */
export const compareConversation = (
  { requests }: Conversation,
  wanted: readonly ServerAnswer[],
  given: readonly ServerAnswer[],
): CreateComparison => {
  const unknown: string[] = [];
  let known = 0;
  for (const [index, request] of requests.entries()) {
    const [want, got] = [wanted[index], given[index]];
    if (want === undefined || got === undefined) throw new Error(`no answer to ${requestText(request)}`);
    const [, , , , why] = request;
    const difference = differenceOf(want, got);
    const place = `${index + 1}: ${requestText(request)}`;
    if (difference !== undefined && why === undefined) unknown.push(`${place} | ${difference}`);
    else if (difference === undefined && why !== undefined) unknown.push(`${place} | no longer differs: ${why}`);
    else if (difference !== undefined) known += 1;
  }
  return { asked: requests.length, known, unknown };
};
