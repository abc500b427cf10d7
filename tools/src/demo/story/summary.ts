import type { StepResult } from './step.ts';
import { dollarLabel, durationLabel } from '../screen/text.ts';

const after = (what: string, ms: number | undefined): readonly string[] => (ms === undefined ? [] : [`${what} after ${durationLabel(ms)}`]);

const lineOf = ({ step, firstLaunchMs, allBoundMs, doneMs, pricePerHour, failure }: StepResult): string => {
  const facts = [
    ...after('launched', firstLaunchMs),
    ...after('all pods bound', allBoundMs),
    ...after('settled', doneMs),
    `${dollarLabel(pricePerHour.before)}/h → ${dollarLabel(pricePerHour.after)}/h`,
  ];
  return `  ${failure === undefined ? '✔' : '✘'} ${step.title}: ${failure ?? facts.join(' · ')}`;
};

/** The closing lines. `savedPerHour`: what the controller's disruption commands together took off the bill. */
export const summaryOf = (results: readonly StepResult[], savedPerHour: number): readonly string[] => [
  'Summary',
  ...results.map(lineOf),
  `  saved by deleting nodes: ${dollarLabel(savedPerHour)}/h`,
];
