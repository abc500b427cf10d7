import type { Clock } from '../../ports/index.ts';
import type { SuspectObject } from './suspects.ts';

/** What triggered a bug is left out for so long, unless it changes before. */
const QUARANTINE_MS = 600_000;
/** Beyond these the oldest is let go: memory is bounded, and a bug that comes again is found again. */
const MOST_OBJECTS = 10_000;

interface Entry {
  readonly content: readonly unknown[];
  readonly untilMs: number;
}

const isSame = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);

const isUnchanged = (before: readonly unknown[], now: readonly unknown[]): boolean =>
  before.length === now.length && before.every((each, index) => isSame(each, now[index]));

/** Objects that triggered a bug. Each is left out of decisions until it changes, or for ten minutes. */
export class Quarantine {
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isEmpty(): boolean {
    return this.#entries.size === 0;
  }

  /** Leaves the objects out from now on. Returns until when (epoch ms). */
  add(objects: readonly SuspectObject[]): number {
    const untilMs = this.#clock.now() + QUARANTINE_MS;
    for (const { id, content } of objects) this.#entries.set(id, { content, untilMs });
    for (const id of this.#entries.keys()) {
      if (this.#entries.size <= MOST_OBJECTS) break;
      this.#entries.delete(id);
    }
    return untilMs;
  }

  /**
   * The ids of those among the objects that are left out now. Forgets what has changed, and what has been left out for
   * long enough.
   */
  among(objects: Iterable<SuspectObject>): ReadonlySet<string> {
    const now = new Map<string, SuspectObject>();
    for (const object of objects) if (this.#entries.has(object.id)) now.set(object.id, object);
    for (const [id, { content, untilMs }] of this.#entries) {
      const object = now.get(id);
      if (this.#clock.now() >= untilMs || (object !== undefined && !isUnchanged(content, object.content))) this.#entries.delete(id);
    }
    return new Set([...now.keys()].filter((id) => this.#entries.has(id)));
  }
}
