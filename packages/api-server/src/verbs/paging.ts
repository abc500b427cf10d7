import type { Engine } from '../engine/engine.ts';
import type { Resource } from '../resources/resource.ts';
import { badRequest, expired } from '../status/refusals.ts';
import { type StoredObject, storeKey } from '../store/stored-object.ts';
import type { ListParams } from './list-options.ts';
import { requestedVersion, selectObjects, selectObjectsAt } from './read.ts';
import { everythingIn, type ObjectSelection } from './selection.ts';

/** One page of a list. */
export interface ListPage {
  readonly items: readonly StoredObject[];
  readonly version: number;
  readonly continueToken: string | undefined;
  /** How many come after it; undefined when a selection hides it, and on the last page. */
  readonly remaining: number | undefined;
}

/** A list that is not cut. */
export const onePage = (items: readonly StoredObject[], version: number): ListPage => ({
  items,
  version,
  continueToken: undefined,
  remaining: undefined,
});

/** How a list is cut. */
interface PageQuery extends Pick<ListParams, 'limit' | 'continueToken' | 'resourceVersion' | 'match'> {
  readonly selection: ObjectSelection;
}

/** Lists in pages; all pages of one list show the same moment. */
export interface Pager {
  list(resource: Resource, query: PageQuery): ListPage;
  /** Makes every token given out so far answer 410. */
  readonly forget: () => void;
}

/** The objects of a list before they are selected, as they were when its first page was cut. */
interface Snapshot {
  readonly items: readonly StoredObject[];
  readonly version: number;
}

interface Token {
  readonly id: string;
  /** The key of the last object that was shown. */
  readonly after: string;
}

const KEPT_SNAPSHOTS = 200;
const GONE =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter.';

/** A pager over an engine. A token can be used again, with another limit or other selectors. */
export const createPager = (engine: Engine): Pager => {
  const snapshots = new Map<string, Snapshot>();
  let lastId = 0;

  const keep = (snapshot: Snapshot): string => {
    lastId += 1;
    snapshots.set(String(lastId), snapshot);
    const oldest = snapshots.keys().next().value;
    if (snapshots.size > KEPT_SNAPSHOTS && oldest !== undefined) snapshots.delete(oldest);
    return String(lastId);
  };
  const cut = ({ items, version }: Snapshot, { limit, selection }: PageQuery, tokenAfter: (key: string) => string): ListPage => {
    const last = limit > 0 && items.length > limit ? items[limit - 1] : undefined;
    if (last === undefined) return onePage(items, version);
    const continueToken = tokenAfter(storeKey(last.metadata.namespace, last.metadata.name));
    return { items: items.slice(0, limit), version, continueToken, remaining: selection.everything ? items.length - limit : undefined };
  };
  const first = (resource: Resource, query: PageQuery): ListPage => {
    const { selection } = query;
    const version = requestedVersion(engine, query.resourceVersion, (why) => badRequest(`invalid resource version: ${why}`));
    const isPast = version !== undefined && query.match === 'Exact' && version < engine.store.version;
    const at = isPast ? version : engine.store.version;
    const objects = (chosen: ObjectSelection): readonly StoredObject[] =>
      isPast ? selectObjectsAt(engine, resource, { selection: chosen, version }) : selectObjects(engine, resource, chosen);
    return cut({ items: objects(selection), version: at }, query, (after) =>
      tokenOf({ id: keep({ items: objects(everythingIn(selection.namespace)), version: at }), after }),
    );
  };
  const next = (query: PageQuery): ListPage => {
    const { id, after } = readToken(query.continueToken);
    const snapshot = snapshots.get(id);
    if (snapshot === undefined) throw expired(GONE);
    const rest = snapshot.items.filter(({ metadata: { namespace, name } }) => storeKey(namespace, name) > after);
    const items = query.selection.everything ? rest : rest.filter(query.selection.matches);
    return cut({ items, version: snapshot.version }, query, (key) => tokenOf({ id, after: key }));
  };
  return {
    list: (resource, query) => {
      if (query.continueToken === '') return first(resource, query);
      if (query.resourceVersion !== '') throw badRequest('specifying resource version is not allowed when using continue');
      return next(query);
    },
    forget: () => snapshots.clear(),
  };
};

const tokenOf = (token: Token): string => Buffer.from(JSON.stringify(token)).toString('base64url');

const readToken = (text: string): Token => {
  const unreadable = () => badRequest('invalid continue token: continue key is not valid: illegal base64 data at input byte 0');
  try {
    const { id, after } = JSON.parse(Buffer.from(text, 'base64url').toString()) as { id: unknown; after: unknown };
    if (typeof id === 'string' && typeof after === 'string') return { id, after };
  } catch (cause) {
    throw Object.assign(unreadable(), { cause });
  }
  throw unreadable();
};
