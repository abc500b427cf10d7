import type { Clock } from '@karpenter/runtime';
import type { ReadText } from '../read/manifests.ts';
import type { Paper } from '../render/paper.ts';

/** What a command reads and writes, beside the cluster. */
export interface World {
  readonly out: Paper;
  /** A line for people on standard error. */
  readonly complain: (line: string) => void;
  readonly readText: ReadText;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Aborted when the person has seen enough. */
  readonly signal: AbortSignal;
}
