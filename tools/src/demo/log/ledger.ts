import type { LoggedDecision } from './decision.ts';
import { narrate } from './narration.ts';

/** What the controller's log has reported so far. */
export interface DemoLedger {
  /** NodeClaim name → dollars an hour. */
  readonly prices: ReadonlyMap<string, number>;
  /** What the started disruption commands together take off the bill. */
  savedPerHour(): number;
  note(decision: LoggedDecision): void;
}

/** The callback gets a sentence for each decision that is worth a line. */
export const createLedger = (print: (sentence: string) => void): DemoLedger => {
  const prices = new Map<string, number>();
  let savedPerHour = 0;
  let lastIdlePlan = '';
  /** The controller logs a plan after the NodeClaims that it made of it: people read the plan first. */
  let created: readonly string[] = [];

  /** A plan that adds nothing is made again every few seconds while pods fit nowhere: it is reported once. */
  const isKnown = ({ message, fields: { pods, plannedNodes, rejected } }: LoggedDecision): boolean => {
    if (message !== 'plan computed') return false;
    const before = lastIdlePlan;
    lastIdlePlan = plannedNodes === 0 ? `${String(pods)} ${String(rejected)}` : '';
    return lastIdlePlan !== '' && lastIdlePlan === before;
  };

  return {
    prices,
    savedPerHour: () => savedPerHour,
    note(decision) {
      const { name, pricePerHour, savingsPerHour } = decision.fields;
      if (typeof name === 'string' && typeof pricePerHour === 'number') prices.set(name, pricePerHour);
      if (decision.message === 'command started' && typeof savingsPerHour === 'number') savedPerHour += savingsPerHour;
      const sentence = isKnown(decision) ? undefined : narrate(decision);
      const own = sentence === undefined ? [] : [sentence];
      if (decision.message === 'nodeclaim created') {
        created = [...created, ...own];
        return;
      }
      const isPlan = decision.message === 'plan computed';
      for (const each of isPlan ? [...own, ...created] : [...created, ...own]) print(each);
      created = [];
    },
  };
};
