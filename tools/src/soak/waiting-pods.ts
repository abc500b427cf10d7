import type { Pod } from '@karpenter/core';
import type { ApiObject, KindRef, LocalApi, LocalEvent } from '@karpenter/api-server';
import type { Clock } from '@karpenter/runtime';

const pods: KindRef<Pod & ApiObject> = { kind: 'Pod' };
const MISSED_AFTER_MS = 15 * 60_000;

/** Measures how long each pod waits for a node, whenever that ends, until it is disposed. */
export class WaitingPods implements Disposable {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #watching: Disposable;
  /** UID → when it came, Unix ms. */
  readonly #waiting = new Map<string, number>();
  #missed = 0;
  #deleted = 0;

  constructor({ clock, local }: { readonly clock: Pick<Clock, 'now'>; readonly local: Pick<LocalApi, 'watch'> }) {
    this.#clock = clock;
    this.#watching = local.watch(pods, (event) => this.#note(event));
  }

  /** `missed`: so far without a node for more than a quarter of an hour. `deleted`: before they had one. */
  counts(): { readonly missed: number; readonly deleted: number } {
    const late = [...this.#waiting.values()].filter((sinceMs) => this.#isLate(sinceMs));
    return { missed: this.#missed + late.length, deleted: this.#deleted };
  }

  [Symbol.dispose](): void {
    this.#watching[Symbol.dispose]();
  }

  #isLate(sinceMs: number): boolean {
    return this.#clock.now() - sinceMs > MISSED_AFTER_MS;
  }

  #note({ type, object: { metadata, spec } }: LocalEvent<Pod & ApiObject>): void {
    const uid = metadata.uid ?? '';
    if (type === 'ADDED' && spec.nodeName === undefined) this.#waiting.set(uid, Date.parse(metadata.creationTimestamp ?? ''));
    if (type !== 'DELETED' && spec.nodeName === undefined) return;
    const sinceMs = this.#waiting.get(uid);
    if (sinceMs === undefined) return;
    this.#waiting.delete(uid);
    if (this.#isLate(sinceMs)) this.#missed += 1;
    if (type === 'DELETED') this.#deleted += 1;
  }
}
