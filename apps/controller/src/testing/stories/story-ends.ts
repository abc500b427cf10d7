import { claimsOf, settledCensus } from '../clusters/cluster-census.ts';
import type { Story } from './story.ts';

/** Waits until so many pods run on so many machines, and nothing else is there. */
export const settled = async (story: Story, pods: number, machines: number): Promise<void> => {
  const expected = JSON.stringify(settledCensus(pods, machines));
  await story.until(`there is ${expected}`, () => JSON.stringify(story.census()) === expected, { within: 12 });
};

/** Why claims are not launched yet, as their conditions say it; for one reason where it is given. */
export const whyNotLaunched = ({ cluster }: Story, only?: string): readonly string[] =>
  claimsOf(cluster).flatMap(({ status }) =>
    (status?.conditions ?? [])
      .filter(({ type, status: is, reason }) => type === 'Launched' && is !== 'True' && (only === undefined || reason === only))
      .map(({ message = '' }) => message),
  );
