import type { Hold } from '../disruption-context.ts';
import type { Pass } from './pass.ts';

/** Nodes whose pods settle later than this are not waited for. */
const SOON_MS = 15_000;
/** How long consolidation waits at most: pods come and go without end in some clusters. */
const MOST_HELD_MS = 30_000;

/** When a pass can look at nodes that it cannot look at yet; epoch ms, in no order. */
const settlingMoments = ({ context: { lookAheadMs = 0 }, candidates }: Pass): readonly number[] =>
  candidates.filter(({ isSettled }) => !isSettled).map(({ settlesAtMs }) => settlesAtMs - lookAheadMs);

/** When the next pass finds a node more whose pods have settled; Infinity: none is awaited. */
export const nextSettledMs = (pass: Pass): number => Math.min(Number.POSITIVE_INFINITY, ...settlingMoments(pass));

/**
 * Whether consolidation waits for nodes whose pods settle next; undefined where it need not. After a change of a
 * Deployment the pods of its nodes settle within seconds of each other. The first of these nodes alone find no room on
 * the others, and whatever moves now moves again with them.
 */
export const holdIn = (pass: Pass): Hold | undefined => {
  const { nowMs, hold } = pass.context;
  const sinceMs = hold?.sinceMs ?? nowMs;
  const latestMs = sinceMs + MOST_HELD_MS;
  const soonMs = settlingMoments(pass).filter((ms) => ms <= nowMs + SOON_MS);
  if (latestMs <= nowMs || soonMs.length === 0) return undefined;
  return { sinceMs, untilMs: Math.min(latestMs, Math.max(...soonMs)) };
};
