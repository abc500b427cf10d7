import { getHeapSpaceStatistics } from 'node:v8';

/** What a process uses at a moment. */
export interface ProcessUse {
  /** After a full collection. */
  readonly heapBytes: number;
  /** The same without compiled code and what V8 notes to compile it: these grow for hours, as rare paths are run again. */
  readonly dataBytes: number;
  /** Before that collection: what the process takes when nobody forces one. */
  readonly residentBytes: number;
  /** Sockets and whatever else is open, timers apart. */
  readonly handles: number;
  /** Absent, as is the next, where cluster and controller share the process. */
  readonly timers?: number;
  /** The 99th percentile of how late the event loop was, since the last time. */
  readonly loopDelayMs?: number;
}

const CODE = /^(code|trusted)|_code_|_trusted_/;

/** Collects garbage, where Node was started with `--expose-gc`. Twice: what only weak references held goes with the second. */
export const collectedHeap = (): Pick<ProcessUse, 'heapBytes' | 'dataBytes'> => {
  globalThis.gc?.();
  globalThis.gc?.();
  const spaces = getHeapSpaceStatistics();
  const sum = (all: typeof spaces): number => all.reduce((bytes, { space_used_size: used }) => bytes + used, 0);
  return { heapBytes: sum(spaces), dataBytes: sum(spaces.filter(({ space_name: name }) => !CODE.test(name))) };
};

/** The same, at a moment of a soak. */
export interface SoakSample extends ProcessUse {
  /** Of the cluster's clock, Unix ms. */
  readonly atMs: number;
  readonly nodes: number;
  readonly pods: number;
  /** Watches of the controller that are open. Absent, as is the next, on the fast clock. */
  readonly watches?: number;
  /** Watches that it has begun since the sample before. */
  readonly watchStarts?: number;
  /** Pods so far that had no node after a quarter of an hour. */
  readonly missed: number;
}
