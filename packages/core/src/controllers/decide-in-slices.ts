import { inSlices } from '@karpenter/runtime';
import type { Steps } from '../base/index.ts';
import type { Shell } from './shell.ts';

/** How long a decision keeps the event loop to itself: leases, watches and probes wait no longer than this and one step. */
const SLICE_MS = 10;

/** What a decision comes to. Others have their turns meanwhile, so what it was about may have changed by the time it is made. */
export const decideInSlices = <T>({ clock }: Pick<Shell, 'clock'>, decision: Steps<T>, signal: AbortSignal): Promise<T> =>
  inSlices(decision, { clock, sliceMs: SLICE_MS, signal });
