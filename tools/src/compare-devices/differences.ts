import type { PodVerdict } from './case-objects.ts';
import type { DeviceCase } from './device-cases.ts';
import { embeddedAnswer, isPlanned, withNeutralNames } from './embedded-answer.ts';

/** A case, and what kube-scheduler answered to each of its pods. */
export interface RecordedCase {
  readonly asked: DeviceCase;
  readonly answers: readonly PodVerdict[];
}

/**
 * For which nodes claims are that have the same devices by both. A scheduler chooses among devices that are as good as
 * each other.
 */
const nodesThatDiffer = (real: PodVerdict, embedded: PodVerdict): readonly string[] => {
  const devicesIn = ({ allocations }: PodVerdict, claim: string): string =>
    JSON.stringify(allocations[claim]?.map(({ driver, pool, device }) => `${driver}/${pool}/${device}`).sort());
  const nodesIn = ({ nodes }: PodVerdict, claim: string): string => JSON.stringify(nodes?.[claim]);
  return Object.keys(real.nodes ?? {}).filter(
    (claim) => devicesIn(real, claim) === devicesIn(embedded, claim) && nodesIn(real, claim) !== nodesIn(embedded, claim),
  );
};

/**
 * The pods that the embedded scheduler or a plan places otherwise, each after the pods before it were placed as
 * kube-scheduler did.
 */
export const differencesOf = async ({ asked, answers }: RecordedCase): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const [index, answer] of answers.entries()) {
    const { isPlaced } = answer;
    const question = { asked, before: answers.slice(0, index) };
    const embedded = await embeddedAnswer(question);
    const real = isPlaced ? 'placed' : 'refused';
    if (embedded.isPlaced !== isPlaced) found.push(`pod ${index}: ${real}, by the embedded scheduler not so`);
    for (const claim of nodesThatDiffer(withNeutralNames(answer), embedded)) found.push(`pod ${index}: ${claim} is for other nodes`);
    if (isPlanned(question) !== isPlaced) found.push(`pod ${index}: ${real}, by the plan not so`);
  }
  return found;
};
