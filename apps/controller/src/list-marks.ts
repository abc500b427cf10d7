import type { PlanMarks } from '@karpenter/core/internal';
import { type Clock, keyString, type KubeClientOptions, type ListProgress, type Logger } from '@karpenter/runtime';
import { fieldsOf } from './settings/scheduler-config/default-constraints.ts';

/** How long the processes after one that ended during a list read in small pages. */
const SMALL_PAGES_MS = 24 * 3_600_000;

/** What a process leaves behind: kind → the last object before the page that it read, and until when pages are small. */
interface Mark {
  readonly listing: ReadonlyMap<string, string>;
  readonly smallUntilMs: number;
}

const parsedMark = (text: string): Mark => {
  let mark: unknown;
  try {
    mark = JSON.parse(text);
  } catch {
    // The process ended while it wrote the mark.
  }
  const { listing, smallUntilMs } = fieldsOf(mark) ?? {};
  const kinds = Object.entries(fieldsOf(listing) ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return { listing: new Map(kinds), smallUntilMs: typeof smallUntilMs === 'number' ? smallUntilMs : 0 };
};

/** How lists are read, and where their progress is noted for the next process. */
export interface ListMarks {
  readonly pages: NonNullable<KubeClientOptions['pages']>;
  readonly onList: (kind: string, progress: ListProgress) => void;
}

/**
 * Breaks crash loops of lists. While a kind is listed, a mark says after which object the next page comes. If a process
 * finds the mark of another, that one ended during the list: it reads in the smallest pages and logs where the other
 * stood. With pages of one large object, that place names the namespace.
 */
export const listMarks = (file: PlanMarks, { clock, logger }: { readonly clock: Clock; readonly logger: Logger }): ListMarks => {
  const found = parsedMark(file.read() ?? '');
  const smallUntilMs = found.listing.size > 0 ? clock.now() + SMALL_PAGES_MS : found.smallUntilMs;
  const isSmall = (): boolean => smallUntilMs > clock.now();
  const listing = new Map<string, string>();
  const write = (): void => {
    if (listing.size === 0 && !isSmall()) file.clear();
    else file.write(JSON.stringify({ listing: Object.fromEntries(listing), smallUntilMs }));
  };
  if (found.listing.size > 0)
    logger.warn('the process before this one ended while it listed these kinds: lists are read in small pages', {
      after: Object.fromEntries(found.listing),
    });
  write();
  return {
    pages: () => (isSmall() ? 'small' : 'usual'),
    onList(kind, progress) {
      if (progress.isListing) listing.set(kind, progress.last === undefined ? '' : keyString(progress.last));
      else listing.delete(kind);
      write();
    },
  };
};
