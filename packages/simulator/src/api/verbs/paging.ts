import type { Engine } from '../engine/engine.ts';
import type { Resource } from '../resources/resource.ts';
import { badRequest, expired } from '../status/refusals.ts';
import type { StoredObject } from '../store/stored-object.ts';
import type { Freshness } from './read.ts';
import { requestedVersion, selectObjects, selectObjectsAt } from './read.ts';
import type { Selection } from './selection.ts';

/** One page of a list. */
export interface Page {
  readonly items: readonly StoredObject[];
  readonly version: number;
  readonly continueToken: string | undefined;
  readonly remaining: number | undefined;
}

/** How a list is cut. */
interface PageQuery extends Freshness {
  readonly selection: Selection;
  readonly limit: number;
  readonly continueToken: string | undefined;
}

/** Lists in pages; all pages of one list show the same moment. */
export interface Pager {
  list(resource: Resource, query: PageQuery): Page;
  /** Makes every token given out so far answer 410. */
  readonly forget: () => void;
}

const KEPT_SNAPSHOTS = 200;
const GONE =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter.';

/** A pager over an engine. */
export const createPager = (engine: Engine): Pager => {
  const snapshots = new Map<string, { readonly items: readonly StoredObject[]; readonly version: number }>();
  let lastId = 0;

  const cut = (id: string, start: number, limit: number): Page => {
    const snapshot = snapshots.get(id);
    if (snapshot === undefined) throw expired(GONE);
    const end = limit > 0 ? start + limit : snapshot.items.length;
    const remaining = snapshot.items.length - end;
    const more = remaining > 0;
    if (!more) snapshots.delete(id);
    return {
      items: limit > 0 ? snapshot.items.slice(start, end) : snapshot.items.slice(start),
      version: snapshot.version,
      continueToken: more ? Buffer.from(JSON.stringify({ id, start: end })).toString('base64url') : undefined,
      remaining: more ? remaining : undefined,
    };
  };
  const first = (resource: Resource, query: PageQuery): Page => {
    const { selection, limit } = query;
    const version = requestedVersion(engine, query);
    const exact = version !== undefined && query.match === 'Exact' && version < engine.store.version;
    const items = exact ? selectObjectsAt(engine, resource, { selection, version }) : selectObjects(engine, resource, selection);
    const at = exact ? version : engine.store.version;
    if (limit <= 0 || items.length <= limit) return { items, version: at, continueToken: undefined, remaining: undefined };
    lastId += 1;
    const id = String(lastId);
    snapshots.set(id, { items, version: at });
    const oldest = snapshots.keys().next().value;
    if (snapshots.size > KEPT_SNAPSHOTS && oldest !== undefined) snapshots.delete(oldest);
    return cut(id, 0, limit);
  };
  return {
    list: (resource, query) => {
      if (query.continueToken === undefined) return first(resource, query);
      const { id, start } = readToken(query.continueToken);
      return cut(id, start, query.limit);
    },
    forget: () => snapshots.clear(),
  };
};

const readToken = (token: string): { readonly id: string; readonly start: number } => {
  try {
    const { id, start } = JSON.parse(Buffer.from(token, 'base64url').toString()) as { id: unknown; start: unknown };
    if (typeof id === 'string' && typeof start === 'number') return { id, start };
  } catch (cause) {
    throw Object.assign(badRequest('continue key is not valid'), { cause });
  }
  throw badRequest('continue key is not valid');
};
