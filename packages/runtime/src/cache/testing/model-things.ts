import type { WatchEvent } from '../../client/verbs/watch-event.ts';
import type { KubeObject } from '../../objects/kube-object.ts';

/** A thing of the model: just enough to distinguish versions and lives. */
export interface Thing extends KubeObject {
  readonly value: number;
}

/** Things and what happened to them. */
export interface ModelThings {
  readonly things: ReadonlyMap<string, Thing>;
  readonly version: number;
  put(name: string, value: number): void;
  remove(name: string): void;
  /** A version passes in which no thing changes. */
  pass(): void;
  /** What happened after a version, oldest first. */
  since(version: number): readonly WatchEvent<Thing>[];
}

/** No things; `onEvent` hears of each change. Every life of a name has a uid of its own. */
export const modelThings = (onEvent: (event: WatchEvent<Thing>) => void): ModelThings => {
  const things = new Map<string, Thing>();
  const history: { readonly version: number; readonly event: WatchEvent<Thing> }[] = [];
  let version = 1;
  let lives = 0;

  const record = (event: WatchEvent<Thing>): void => {
    history.push({ version, event });
    onEvent(event);
  };

  return {
    things,
    get version() {
      return version;
    },
    put(name, value) {
      version += 1;
      const old = things.get(name);
      if (old === undefined) lives += 1;
      const metadata = { name, uid: old?.metadata.uid ?? `life-${lives}`, resourceVersion: String(version) };
      const object: Thing = { apiVersion: 'v1', kind: 'Thing', metadata, value };
      things.set(name, object);
      record({ type: old === undefined ? 'added' : 'modified', object });
    },
    remove(name) {
      const old = things.get(name);
      if (old === undefined) return;
      version += 1;
      things.delete(name);
      record({ type: 'deleted', object: { ...old, metadata: { ...old.metadata, resourceVersion: String(version) } } });
    },
    pass: () => void (version += 1),
    since: (from) => history.filter((each) => each.version > from).map((each) => each.event),
  };
};
