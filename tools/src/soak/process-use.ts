/** What a process uses at a moment. */
export interface ProcessUse {
  /** After a full collection. */
  readonly heapBytes: number;
  readonly residentBytes: number;
  /** Sockets and whatever else is open, timers apart. */
  readonly handles: number;
  readonly timers: number;
  /** The 99th percentile of how late the event loop was, since the last time. */
  readonly loopDelayMs: number;
}

/** The same, at a moment of a soak. */
export interface SoakSample extends ProcessUse {
  /** Of the cluster's clock, Unix ms. */
  readonly atMs: number;
  readonly nodes: number;
  readonly pods: number;
  /** Watches of the API server that are open. */
  readonly watches: number;
  /** Pods so far that had no node after a quarter of an hour. */
  readonly missed: number;
}
