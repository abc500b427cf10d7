import { proposing, validating } from '../disruption/index.ts';
import { explain, planning } from '../scheduling/index.ts';
import type { Decisions } from './decisions.ts';

/** The decisions of floors 6 and 7. */
export const pureDecisions: Decisions = { planning, explain, proposing, validating };
