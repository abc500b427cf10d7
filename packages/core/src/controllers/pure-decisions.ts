import { isStillValid, proposeCommand } from '../disruption/index.ts';
import { explain, simulate } from '../scheduling/index.ts';
import type { Decisions } from './decisions.ts';

/** The decisions of floors 6 and 7. */
export const pureDecisions: Decisions = { simulate, explain, proposeCommand, isStillValid };
