import { ArmError } from '../arm-error.ts';

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

/** Page after page, until one links to none. Throws `server` where one links to a page before it: there would be no end. */
export async function* pagesOf<P extends Page, First extends string | undefined>(paging: Paging<P, First>): AsyncGenerator<P> {
  const asked = new Set<string | undefined>();
  for (let link: string | First = paging.first; ;) {
    if (asked.has(link))
      throw new ArmError(`${paging.source} goes in circles: a page links to one before it`, { code: 'server', cause: undefined });
    asked.add(link);
    const page: P = await paging.ask(link);
    yield page;
    if (page.next === undefined) return;
    link = page.next;
  }
}

/** What `read` gives for each page, as one list of any length: no item is an argument of a call. */
export const itemsOfPages = async <P, T>(pages: AsyncIterable<P>, read: (page: P) => readonly T[]): Promise<readonly T[]> => {
  const found: (readonly T[])[] = [];
  for await (const page of pages) found.push(read(page));
  return found.flat();
};
