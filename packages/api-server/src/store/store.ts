import { deepFreeze, type JsonObject } from '../json/json.ts';
import { createHistory, type History, type StoreEvent } from './history.ts';
import { asJson, asStored, type StoredObject, storeKey } from './stored-object.ts';
import { createTable, type FieldReader, type Table } from './table.ts';

/** Called with each event of a resource, in order. */
type StoreListener = (event: StoreEvent, storage: string) => void;

/** All objects of a cluster, under one sequence of versions. `storage` names a resource: `pods`, `deployments.apps`. */
export interface Store {
  /** The version of the last write. */
  readonly version: number;
  table(storage: string): Table;
  history(storage: string): History;
  /** Opens a resource with its indexed fields; opening twice keeps the first. */
  open(storage: string, indexes: Readonly<Record<string, FieldReader>>): void;
  /** Writes a new or changed object: gives it the next version, freezes it, calls the listeners. */
  put(storage: string, object: JsonObject): StoredObject;
  /** Takes an object out in the state that it has last. One that is not there, or no longer, is a bug. */
  remove(storage: string, last: StoredObject): StoredObject;
  /** Listens to one resource, or to all without a name. */
  listen(storage: string | undefined, listener: StoreListener): Disposable;
  find(uid: string): StoredObject | undefined;
  storages(): Iterable<string>;
  compact(): void;
}

interface Opened {
  readonly table: Table;
  readonly history: History;
}

const openedIn = (tables: ReadonlyMap<string, Opened>, storage: string): Opened => {
  const known = tables.get(storage);
  if (known === undefined) throw new Error(`no resource named ${storage}`);
  return known;
};

const frozenAs = (object: JsonObject, version: number): StoredObject =>
  deepFreeze(asStored({ ...object, metadata: { ...(object['metadata'] as JsonObject), resourceVersion: String(version) } }));

const heldBy = (table: Table, { metadata: { namespace, name, uid } }: StoredObject): StoredObject => {
  const held = table.get(storeKey(namespace, name));
  if (held?.metadata.uid !== uid) throw new Error(`${storeKey(namespace, name)} (${uid}) is removed, but it is not there`);
  return held;
};

/**
 * An empty store. Listeners run inside the write that they hear of. A listener's own write is announced after all
 * listeners of the first, so that everyone hears one order.
 */
export const createStore = (historySize: number): Store => {
  let version = 1;
  const tables = new Map<string, Opened>();
  const byUid = new Map<string, StoredObject>();
  const { listen, emit } = createDispatcher();

  const opened = (storage: string): Opened => openedIn(tables, storage);
  const announce = (storage: string, event: StoreEvent): StoredObject => {
    opened(storage).history.append(event);
    emit(storage, event);
    return event.object;
  };
  const stamped = (object: JsonObject): StoredObject => {
    version += 1;
    return frozenAs(object, version);
  };
  const put = (storage: string, json: JsonObject): StoredObject => {
    const object = stamped(json);
    const { table } = opened(storage);
    const previous = table.get(storeKey(object.metadata.namespace, object.metadata.name));
    table.put(object);
    byUid.set(object.metadata.uid, object);
    return announce(storage, { type: previous === undefined ? 'ADDED' : 'MODIFIED', object, previous, version });
  };
  const remove = (storage: string, last: StoredObject): StoredObject => {
    const { table } = opened(storage);
    const previous = heldBy(table, last);
    const object = stamped(asJson(last));
    table.remove(object);
    byUid.delete(object.metadata.uid);
    return announce(storage, { type: 'DELETED', object, previous, version });
  };
  return {
    get version() {
      return version;
    },
    table: (storage) => opened(storage).table,
    history: (storage) => opened(storage).history,
    open: (storage, indexes) => {
      if (!tables.has(storage)) tables.set(storage, { table: createTable(indexes), history: createHistory(historySize) });
    },
    put,
    remove,
    listen,
    find: (uid) => byUid.get(uid),
    storages: () => tables.keys(),
    compact: () => tables.forEach(({ history }) => history.compact(version)),
  };
};

const createDispatcher = () => {
  const listeners = new Map<string | undefined, Set<StoreListener>>();
  const queue: (() => void)[] = [];
  let draining = false;
  const drain = (): void => {
    if (draining) return;
    draining = true;
    try {
      for (let task = queue.shift(); task !== undefined; task = queue.shift()) task();
    } finally {
      draining = false;
    }
  };
  return {
    listen: (storage: string | undefined, listener: StoreListener): Disposable => {
      const members = listeners.get(storage) ?? new Set();
      listeners.set(storage, members.add(listener));
      return { [Symbol.dispose]: () => void members.delete(listener) };
    },
    emit: (storage: string, event: StoreEvent): void => {
      queue.push(() => {
        for (const key of [undefined, storage]) for (const listener of listeners.get(key) ?? []) listener(event, storage);
      });
      drain();
    },
  };
};
