import type { StoredObject } from './stored-object.ts';

/** The last events of one resource, oldest first: what a watch that resumes is fed from. */
export interface History {
  append(event: StoreEvent): void;
  /** Events after a version, or undefined when some of them are forgotten. */
  since(version: number): readonly StoreEvent[] | undefined;
  /** Forgets everything up to a version. */
  compact(version: number): void;
}

/** A history that keeps at least the last `capacity` events. */
export const createHistory = (capacity: number): History => {
  let events: StoreEvent[] = [];
  let droppedUpTo = 0;
  const drop = (count: number): void => {
    droppedUpTo = events[count - 1]?.version ?? droppedUpTo;
    events = events.slice(count);
  };
  return {
    append: (event) => {
      events.push(event);
      if (events.length >= capacity * 2) drop(events.length - capacity);
    },
    since: (version) => {
      if (version < droppedUpTo) return undefined;
      let low = 0;
      let high = events.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((events[middle]?.version ?? 0) > version) high = middle;
        else low = middle + 1;
      }
      return events.slice(low);
    },
    compact: (version) => {
      events = [];
      droppedUpTo = version;
    },
  };
};

/**
 * One change in the store. `previous` is undefined for a creation; `object` of a deletion is the last state with its
 * final version.
 */
export interface StoreEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: StoredObject;
  readonly previous: StoredObject | undefined;
  readonly version: number;
}
