import { inSlices } from '@karpenter/runtime';
import type { Steps } from '../base/index.ts';
import type { Shell } from './shell.ts';

/** How long a decision keeps the event loop to itself: leases, watches and probes wait no longer than this and one step. */
const SLICE_MS = 10;

/** Runs a decision in slices and returns its result. Other work runs in between, so the cluster may have changed by then. */
export const decideInSlices = <T>({ clock }: Pick<Shell, 'clock'>, decision: Steps<T>, signal: AbortSignal): Promise<T> =>
  inSlices(decision, { clock, sliceMs: SLICE_MS, signal });
