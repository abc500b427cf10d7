import { KubeError } from '@karpenter/runtime';
import type { Clock, KubeClient, KubeObject, WatchEvent, WatchOptions } from '@karpenter/runtime';

/** What a view is made with. `random` returns numbers from 0 to below 1. */
export interface DistortedViewOptions {
  readonly clock: Clock;
  readonly random: () => number;
}

interface Distortion {
  /** Every kind when it is left out. */
  readonly kinds?: readonly string[];
  readonly lagMs: number;
  /** The share of events that come twice. */
  readonly twice: number;
}

interface Held<T> {
  readonly event: WatchEvent<T>;
  readonly dueMs: number;
}

/** One watch: what has come of it and was not delivered yet. */
class HeldStream<T> {
  readonly #held: Held<T>[] = [];
  #changed = Promise.withResolvers<undefined>();
  #lastDueMs = 0;
  #end: { readonly error?: Error } | undefined;

  hold(event: WatchEvent<T>, dueMs: number): void {
    if (this.#end !== undefined) return;
    this.#lastDueMs = Math.max(this.#lastDueMs, dueMs);
    this.#held.push({ event, dueMs: this.#lastDueMs });
    this.#wake();
  }

  end(error?: Error): void {
    this.#end ??= error === undefined ? {} : { error };
    this.#wake();
  }

  /** The connection breaks: what was on its way is lost. */
  break(): void {
    this.#held.length = 0;
    this.end(new KubeError('the watch was cut', { code: 'network', cause: undefined }));
  }

  async *reported(clock: Clock): AsyncGenerator<WatchEvent<T>> {
    for (;;) {
      const [next] = this.#held;
      if (next !== undefined && next.dueMs <= clock.now()) {
        this.#held.shift();
        yield next.event;
      } else if (next !== undefined) {
        using _due = clock.setTimeout(() => this.#wake(), next.dueMs - clock.now());
        await this.#changed.promise;
      } else if (this.#end === undefined) await this.#changed.promise;
      else if (this.#end.error === undefined) return;
      else throw this.#end.error;
    }
  }

  #wake(): void {
    const { resolve } = this.#changed;
    this.#changed = Promise.withResolvers();
    resolve(undefined);
  }
}

/**
 * The API server seen through watches that are late, each kind by another time, that deliver events twice, and that
 * break with events under way.
 *
 * It stays within what the protocol allows: the events of one kind, bookmarks among them, keep their order, so that
 * kinds are reordered against each other and never within themselves; and what a broken watch has lost is sent again to
 * whoever asks from the last version seen. An event that a living watch skips for good cannot happen: a server that
 * cannot keep up, or has forgotten, ends the watch.
 */
export class DistortedView {
  readonly #options: DistortedViewOptions;
  readonly #distortions = new Set<Distortion>();
  readonly #streams = new Map<{ break(): void }, string>();

  constructor(options: DistortedViewOptions) {
    this.#options = options;
  }

  /** Events come up to so much later, and some twice, until it is disposed. */
  distort(distortion: Distortion): Disposable {
    this.#distortions.add(distortion);
    return { [Symbol.dispose]: () => void this.#distortions.delete(distortion) };
  }

  /** Breaks the watches that are open. */
  cut(kinds?: readonly string[]): void {
    for (const [stream, kind] of [...this.#streams]) if (kinds?.includes(kind) ?? true) stream.break();
  }

  /** The client that sees it so. */
  of(kube: KubeClient): KubeClient {
    return {
      ...kube,
      watch: <T extends KubeObject>(kind: string, options?: WatchOptions) => this.#watch<T>(kube, kind, options),
    };
  }

  async *#watch<T extends KubeObject>(kube: KubeClient, kind: string, options: WatchOptions = {}): AsyncGenerator<WatchEvent<T>> {
    const stream = new HeldStream<T>();
    const over = new AbortController();
    const signal = options.signal === undefined ? over.signal : AbortSignal.any([options.signal, over.signal]);
    this.#streams.set(stream, kind);
    const pumping = this.#pump(kube.watch<T>(kind, { ...options, signal }), { kind, stream });
    try {
      yield* stream.reported(this.#options.clock);
    } finally {
      this.#streams.delete(stream);
      over.abort();
      await pumping;
    }
  }

  async #pump<T extends KubeObject>(
    events: AsyncIterable<WatchEvent<T>>,
    { kind, stream }: { readonly kind: string; readonly stream: HeldStream<T> },
  ): Promise<void> {
    const { clock, random } = this.#options;
    try {
      for await (const event of events) {
        const now = [...this.#distortions].filter(({ kinds }) => kinds?.includes(kind) ?? true);
        const lagMs = Math.max(0, ...now.map((each) => each.lagMs * random()));
        stream.hold(event, clock.now() + lagMs);
        const isSentTwice = event.type !== 'bookmark' && now.some(({ twice }) => random() < twice);
        if (isSentTwice) stream.hold(event, clock.now() + lagMs);
      }
      stream.end();
    } catch (error) {
      stream.end(error instanceof Error ? error : new Error(String(error)));
    }
  }
}
