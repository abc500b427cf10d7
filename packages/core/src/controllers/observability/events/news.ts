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

interface Memory {
  readonly what: string;
  readonly atMs: number;
}

/** Picks what differs from what was said of the same subject in the last 15 minutes, a few at a time. */
export class News {
  readonly #said = new Map<string, Memory>();

  /** Of these the news that have waited longest; from now on they are none. What is not among these is forgotten in time. */
  pick<T extends Said>(all: readonly T[], nowMs: number): readonly T[] {
    const isNews = ({ about, what }: T): boolean => {
      const said = this.#said.get(about);
      return said?.what !== what || nowMs >= said.atMs + SAID_AGAIN_AFTER_MS;
    };
    const saidMs = ({ about }: T): number => this.#said.get(about)?.atMs ?? 0;
    const news = all
      .filter(isNews)
      .sort((a, b) => saidMs(a) - saidMs(b))
      .slice(0, MOST_AT_ONCE);
    this.#forget(all, nowMs);
    for (const { about, what } of news) this.#said.set(about, { what, atMs: nowMs });
    return news;
  }

  #forget(all: readonly Said[], nowMs: number): void {
    const current = new Set(all.map(({ about }) => about));
    for (const [about, { atMs }] of this.#said) if (!current.has(about) && nowMs >= atMs + SAID_AGAIN_AFTER_MS) this.#said.delete(about);
  }
}
