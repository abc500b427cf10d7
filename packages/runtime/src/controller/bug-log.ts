import { logSafely } from '../log/safe-report.ts';
import type { Logger } from '../log/logger.ts';

/** What a reconcile was about: its controller, and the object's key unless it is a singleton. */
export interface ReconcileSubject {
  readonly controller: string;
  readonly key?: string;
}

/** Remembered bugs of one loop: more than that are logged again. */
const MOST_REMEMBERED = 1_000;

/** Of one object: bugs that alternate are not logged at each retry. */
const MOST_OF_AN_OBJECT = 8;

/** Without numbers: a count or an id in the text makes no other bug. */
const textOf = (error: unknown): string => (error instanceof Error ? `${error.name}: ${error.message.replace(/\d+/g, '0')}` : typeof error);

/** Logs the bugs of one loop: each bug of an object once, until a reconcile of the object succeeds. */
export class BugLog {
  readonly #logger: Logger;
  /** Key → the texts of its last bugs; oldest first. */
  readonly #known = new Map<string, readonly string[]>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** The reconcile threw what is no failure. The first line has the stack; repeats go to the level `debug`. */
  found({ controller, key }: ReconcileSubject, error: unknown): void {
    const text = textOf(error);
    const id = key ?? '';
    const known = this.#known.get(id) ?? [];
    const isKnown = known.includes(text);
    this.#known.delete(id);
    this.#known.set(id, isKnown ? known : [...known, text].slice(-MOST_OF_AN_OBJECT));
    if (this.#known.size > MOST_REMEMBERED) this.#forgetOldest();
    const fields = { logger: controller, ...(key === undefined ? {} : { object: key }), error };
    logSafely(() =>
      isKnown ? this.#logger.debug('reconcile has the same bug', fields) : this.#logger.error('reconcile has a bug; it is retried', fields),
    );
  }

  /** The reconcile ended without a bug: the next one is logged as new. */
  passed({ key }: ReconcileSubject): void {
    this.#known.delete(key ?? '');
  }

  #forgetOldest(): void {
    for (const id of this.#known.keys()) {
      this.#known.delete(id);
      return;
    }
  }
}
