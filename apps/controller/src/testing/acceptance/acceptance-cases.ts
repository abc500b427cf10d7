import { changeCases } from './change-cases.ts';
import { clusterCases } from './cluster-cases.ts';
import { launchCases } from './launch-cases.ts';
import type { AcceptanceCase } from './stage.ts';

/** Every case, grouped by what a run has to wait for. */
export const acceptanceCases: readonly AcceptanceCase[] = [...launchCases, ...changeCases, ...clusterCases];
