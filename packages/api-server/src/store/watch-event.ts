import type { StoredObject } from './stored-object.ts';

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
