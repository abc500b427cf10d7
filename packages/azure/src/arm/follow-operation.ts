import type { Clock } from '@karpenter/core/controllers';

/** The part of the SDK's poller that is used. It is thenable: never return one from an async function. */
export interface Poller {
  readonly isDone: boolean;
  submitted(): Promise<void>;
  poll(options: { abortSignal: AbortSignal }): Promise<unknown>;
}

const GROWTH = 1.5;
const LONGEST_MS = 10_000;

export interface FollowOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly firstDelayMs: number;
}

/** Polls until the operation is done, ever more slowly, on our clock instead of the SDK's. Throws what the operation failed with. */
export const followOperation = async (poller: Poller, { clock, signal, firstDelayMs }: FollowOptions): Promise<void> => {
  for (let delayMs = firstDelayMs; !poller.isDone; delayMs = Math.min(delayMs * GROWTH, LONGEST_MS)) {
    await clock.sleep(delayMs, signal);
    await poller.poll({ abortSignal: signal });
  }
};
