import { ArmError } from '../arm-error.ts';

/** The prices of a region take a few hundred pages, and no list of Azure is longer. */
const MOST_PAGES = 5_000;
/** What is kept of more would fill the memory. */
const MOST_ITEMS = 200_000;

interface Page {
  /** Link or token of the next page; absent: this page is the last. */
  readonly next: string | undefined;
}

export interface Paging<P extends Page, First extends string | undefined> {
  /** Who answers, for the failure: `Resource Graph`. */
  readonly source: string;
  readonly first: First;
  readonly ask: (link: string | First) => Promise<P>;
}

const endless = (what: string): ArmError => new ArmError(what, { code: 'server', cause: undefined });

/**
 * Page after page, until one links to none. Throws `server` where there would be no end: one links to a page before it,
 * or `MOST_PAGES` have come.
 */
export async function* pagesOf<P extends Page, First extends string | undefined>(paging: Paging<P, First>): AsyncGenerator<P> {
  const asked = new Set<string | undefined>();
  for (let link: string | First = paging.first; ;) {
    if (asked.has(link)) throw endless(`${paging.source} goes in circles: a page links to one before it`);
    if (asked.size >= MOST_PAGES) throw endless(`${paging.source} has no end: ${MOST_PAGES} pages have come`);
    asked.add(link);
    const page: P = await paging.ask(link);
    yield page;
    if (page.next === undefined) return;
    link = page.next;
  }
}

/**
 * What `read` gives for each page, as one list: no item is an argument of a call. Throws `server` beyond `MOST_ITEMS`
 * items.
 */
export const itemsOfPages = async <P, T>(pages: AsyncIterable<P>, read: (page: P) => readonly T[]): Promise<readonly T[]> => {
  const found: (readonly T[])[] = [];
  let count = 0;
  for await (const page of pages) {
    const items = read(page);
    count += items.length;
    if (count > MOST_ITEMS) throw endless(`a list has no end: ${MOST_ITEMS} entries have come`);
    found.push(items);
  }
  return found.flat();
};
