import type { Clock } from '../../clock/clock.ts';

/** One HTTP exchange that ended, for metrics. */
export interface FinishedRequest {
  readonly method: string;
  /** `list Pod`; the method where the caller named nothing. Few values. */
  readonly operation: string;
  /** HTTP status, or the code of the KubeError when there was no answer. */
  readonly result: string;
  readonly durationMs: number;
}

/** How a transport behaves. */
export interface TransportOptions {
  readonly clock: Clock;
  /** Requests a second in the long run; 200 when left out. */
  readonly qps?: number;
  /** Requests at once; 300 when left out. */
  readonly burst?: number;
  readonly userAgent?: string;
  readonly onRequest?: (finished: FinishedRequest) => void;
  /** Called with the header `Date` of each answer, when its headers have come. */
  readonly onDate?: (date: string) => void;
}
