import type { RawKubeClient } from '../../../packages/kube-api-contract/src/kube-client.ts';
import { differenceOf } from './answers.ts';
import { knownDifference } from './known-differences.ts';
import { requestMutationsOf, mutationText } from './mutations.ts';
import type { RecordedAnswer } from './recording.ts';
import type { Subject } from './requests.ts';
import { sendToServer } from './requests.ts';

/** What came of asking both servers the same. */
export interface CreateComparison {
  readonly asked: number;
  readonly known: number;
  /** A line for each difference that is not known. */
  readonly unknown: readonly string[];
}

/** Two servers: the real one, whose answers are wanted, and the embedded one. */
export interface Servers {
  readonly real: RawKubeClient;
  readonly embedded: RawKubeClient;
}

/**
 * Has both servers create an object, unchanged and in every changed form. The answers are those of the real server where
 * both agree.
 */
export const compareCreates = async (
  { real, embedded }: Servers,
  subject: Subject,
): Promise<CreateComparison & { readonly answers: readonly RecordedAnswer[] }> => {
  const answers: RecordedAnswer[] = [];
  const unknown: string[] = [];
  let known = 0;
  const changes = [undefined, ...requestMutationsOf(subject.object)];
  for (const change of changes) {
    const [wanted, given] = await Promise.all([sendToServer(real, subject, change), sendToServer(embedded, subject, change)]);
    const difference = differenceOf(wanted, given);
    const text = change === undefined ? 'unchanged' : mutationText(change);
    if (difference === undefined) answers.push({ ...(change === undefined ? {} : { change }), ...wanted });
    else if (knownDifference(subject.name, text) === undefined) unknown.push(`${text} | ${difference}`);
    else known += 1;
  }
  return { asked: changes.length, known, unknown, answers };
};
