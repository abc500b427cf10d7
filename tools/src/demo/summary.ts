import type { StepResult } from './step.ts';
import { dollars, duration } from './text.ts';

const orDash = (ms: number | undefined): string => (ms === undefined ? '–' : duration(ms));

const lineOf = ({ step, firstLaunchMs, allBoundMs, doneMs, pricePerHour, failure }: StepResult): string => {
  const facts = [
    `launched after ${orDash(firstLaunchMs)}`,
    `all pods bound after ${orDash(allBoundMs)}`,
    `settled after ${orDash(doneMs)}`,
    `${dollars(pricePerHour.before)}/h → ${dollars(pricePerHour.after)}/h`,
  ];
  return `  ${failure === undefined ? '✔' : '✘'} ${step.title}: ${failure ?? facts.join(' · ')}`;
};

/** The closing lines. `savedPerHour`: what the controller's disruption commands together took off the bill. */
export const summaryOf = (results: readonly StepResult[], savedPerHour: number): readonly string[] => [
  'Summary',
  ...results.map(lineOf),
  `  saved by giving nodes up: ${dollars(savedPerHour)}/h`,
];
