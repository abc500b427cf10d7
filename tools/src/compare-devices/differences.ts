import type { PodVerdict } from './case-objects.ts';
import type { DeviceCase } from './device-cases.ts';
import { embeddedAnswer, isPlanned } from './embedded-answer.ts';

/** A case, and what kube-scheduler answered to each of its pods. */
export interface RecordedCase {
  readonly asked: DeviceCase;
  readonly answers: readonly PodVerdict[];
}

/** The pods that the embedded scheduler or a plan places otherwise, each after the pods before it were placed as kube-scheduler did. */
export const differencesOf = async ({ asked, answers }: RecordedCase): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const [index, { isPlaced }] of answers.entries()) {
    const question = { asked, before: answers.slice(0, index) };
    const embedded = await embeddedAnswer(question);
    const real = isPlaced ? 'placed' : 'refused';
    if (embedded.isPlaced !== isPlaced) found.push(`pod ${index}: ${real}, by the embedded scheduler not so`);
    if (isPlanned(question) !== isPlaced) found.push(`pod ${index}: ${real}, by the plan not so`);
  }
  return found;
};
