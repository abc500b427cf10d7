import type { CallOptions } from '../cloudprovider/index.ts';
import type { Clock } from '../ports/index.ts';
import { GatheredRound } from './gathered-round.ts';

/** How requests that come at about the same time become one call. */
export interface Gathering<Q, A> {
  readonly clock: Clock;
  /** The call is made when nothing more has come for so long. */
  readonly idleMs: number;
  /** The call is made after so long in any case. */
  readonly maxMs: number;
  /** The most requests that one call takes. */
  readonly most: number;
  /** Requests of one key can go together. Left out: all can. */
  readonly keyOf?: (request: Q) => string;
  /** One answer for each request, in their order. What it throws is the answer to all of them. */
  readonly call: (requests: readonly Q[], signal: AbortSignal) => Promise<readonly A[]>;
}

/**
 * The call for one request, which is made for all that come with it. Who aborts waits no longer; the call goes on for
 * the others, and is aborted when nobody waits for it.
 */
export const gatheredCalls = <Q, A>(gathering: Gathering<Q, A>): ((request: Q, options: CallOptions) => Promise<A>) => {
  const { keyOf = () => '', most } = gathering;
  const open = new Map<string, GatheredRound<Q, A>>();
  const opened = (key: string): GatheredRound<Q, A> => {
    const round = new GatheredRound(gathering, () => void open.delete(key));
    open.set(key, round);
    return round;
  };
  return (request, { signal }) => {
    const key = keyOf(request);
    const round = open.get(key) ?? opened(key);
    const answer = round.join(request, signal);
    if (round.size >= most) round.close();
    return answer;
  };
};
