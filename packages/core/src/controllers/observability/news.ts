/** The same is said again after so long: events are forgotten by the API server after an hour. */
export const SAID_AGAIN_AFTER_MS = 15 * 60_000;

/** The others come with the next looks: the recorder drops what is more than a hundred at once, whatever it is about. */
const MOST_AT_ONCE = 25;

/** What is said of something. */
export interface Said {
  /** What it is about. */
  readonly about: string;
  /** What makes it the same as what was said before. */
  readonly what: string;
}

/** Tells news from what was said of the same thing less than a quarter of an hour ago, a few at a time. */
export class News {
  readonly #said = new Map<string, { readonly what: string; readonly atMs: number }>();

  /** The first of these that are news; from now on they are none. */
  pick<T extends Said>(all: readonly T[], nowMs: number): readonly T[] {
    for (const [about, { atMs }] of this.#said) if (nowMs >= atMs + SAID_AGAIN_AFTER_MS) this.#said.delete(about);
    const news = all.filter(({ about, what }) => this.#said.get(about)?.what !== what).slice(0, MOST_AT_ONCE);
    for (const { about, what } of news) this.#said.set(about, { what, atMs: nowMs });
    return news;
  }
}
