import { getOrMake } from '../base/index.ts';
import type { NodeClaim } from '../apis/index.ts';
import type { CallOptions, CloudProvider, CloudProviderError, CreateOptions, Machine } from '../cloudprovider/index.ts';
import type { Clock } from '../ports/index.ts';

interface RoundPace<Q, A> {
  readonly clock: Clock;
  readonly idleMs: number;
  readonly maxMs: number;
  readonly call: (requests: readonly Q[], signal: AbortSignal) => Promise<readonly A[]>;
}

interface Waiter<Q, A> {
  readonly request: Q;
  readonly resolve: (answer: A) => void;
  readonly reject: (reason: unknown) => void;
}

/** The requests of one call, from the first that comes to the answers. */
class GatheredRound<Q, A> {
  readonly #pace: RoundPace<Q, A>;
  readonly #onClosed: () => void;
  readonly #untilMs: number;
  readonly #waiters = new Set<Waiter<Q, A>>();
  /** Aborted when nobody waits for the call that is under way. */
  readonly #interest = new AbortController();
  #timer: Disposable | undefined;
  #isClosed = false;

  constructor(pace: RoundPace<Q, A>, onClosed: () => void) {
    this.#pace = pace;
    this.#onClosed = onClosed;
    this.#untilMs = pace.clock.now() + pace.maxMs;
  }

  get size(): number {
    return this.#waiters.size;
  }

  /** Puts off the call, and gives the answer to this request. */
  join(request: Q, signal: AbortSignal): Promise<A> {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiters.delete(waiter);
        if (this.#isClosed && this.#waiters.size === 0) this.#interest.abort(signal.reason);
        reject(signal.reason as Error);
      };
      const ending =
        <T>(end: (value: T) => void) =>
        (value: T): void => {
          signal.removeEventListener('abort', leave);
          end(value);
        };
      const waiter = { request, resolve: ending(resolve), reject: ending(reject) };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiters.add(waiter);
      this.#putOff();
    });
  }

  /** Makes the call for those that have come. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#timer?.[Symbol.dispose]();
    this.#onClosed();
    if (this.#waiters.size > 0) void this.#run([...this.#waiters]);
  }

  #putOff(): void {
    const { clock, idleMs } = this.#pace;
    this.#timer?.[Symbol.dispose]();
    this.#timer = clock.setTimeout(() => this.close(), Math.min(idleMs, this.#untilMs - clock.now()));
  }

  async #run(asked: readonly Waiter<Q, A>[]): Promise<void> {
    try {
      const requests = asked.map(({ request }) => request);
      const answers = await this.#pace.call(requests, this.#interest.signal);
      if (answers.length !== asked.length) throw new Error(`${asked.length} requests got ${answers.length} answers`);
      for (const [index, answer] of answers.entries()) asked[index]?.resolve(answer);
    } catch (error) {
      for (const waiter of asked) waiter.reject(error);
    }
  }
}

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
 * The call for one request, which is made for all that come with it. Aborting ends only the caller's wait: the
 * call goes on for the others, and is aborted when nobody waits for it.
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

/** What became of one launch of several. */
export type LaunchAnswer =
  { readonly kind: 'launched'; readonly machine: Machine } | { readonly kind: 'refused'; readonly error: CloudProviderError };

/** An optional ability of a cloud: machines for several claims by one call. */
export interface BatchCreate {
  /** The most claims that one call takes. */
  readonly most: number;
  /** Claims of one key can be launched by one call. Left out: all can. */
  batchKeyOf?(claim: NodeClaim): string;
  /**
   * Launches the machines of claims with different names. One answer for each, in their order; a refusal of one is no
   * reason to fail the others. Guarantees and errors: those of `CloudProvider.create`; what is thrown is the answer to
   * all.
   */
  createAll(claims: readonly NodeClaim[], options: CreateOptions): Promise<readonly LaunchAnswer[]>;
}

/** A claim and what came with it. */
interface Asked {
  readonly claim: NodeClaim;
  readonly options: CreateOptions;
}

export interface BatchPace {
  readonly clock: Clock;
  /** How long a launch waits for another one to come along. */
  readonly idleMs: number;
  /** The longest that a launch waits. */
  readonly maxMs: number;
}

/**
 * `CloudProvider.create` of a cloud that launches by the batch: core asks for each claim by itself, and those that come
 * together go together. A claim that is being launched already is not launched again. Throws the `CloudProviderError` of
 * a claim's own answer, or what `createAll` threw. A launch waits `idleMs` for others, `maxMs` at most.
 */
export const batchedCreate = (ability: BatchCreate, pace: BatchPace): CloudProvider['create'] => {
  const underway = new Map<string, Promise<Machine>>();
  const answerTo = gatheredCalls<Asked, LaunchAnswer>({
    ...pace,
    most: ability.most,
    keyOf: ({ claim }) => ability.batchKeyOf?.(claim) ?? '',
    call: (asked, signal) =>
      ability.createAll(
        asked.map(({ claim }) => claim),
        { ...asked[0]?.options, signal },
      ),
  });
  const launch = async (claim: NodeClaim, options: CreateOptions): Promise<Machine> => {
    const answer = await answerTo({ claim, options }, options);
    if (answer.kind === 'refused') throw answer.error;
    return answer.machine;
  };
  return (claim, options) => {
    const { name } = claim.metadata;
    return getOrMake(underway, name, () => launch(claim, options).finally(() => void underway.delete(name)));
  };
};
