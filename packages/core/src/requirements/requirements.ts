import type { Requirement } from './requirement.ts';

/** Label key → requirement. A key that is not there is unconstrained. */
export type Requirements = ReadonlyMap<string, Requirement>;
