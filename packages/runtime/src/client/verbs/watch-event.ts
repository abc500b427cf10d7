/** Something happened to an object of a watched selection, or (bookmark) nothing did up to a version. */
export type WatchEvent<T> =
  | { readonly type: 'added' | 'modified' | 'deleted'; readonly object: T }
  | {
      readonly type: 'bookmark';
      readonly resourceVersion: string;
      /** The objects that were there at the start have all been sent (`k8s.io/initial-events-end`). */
      readonly initialEventsEnd: boolean;
    };
