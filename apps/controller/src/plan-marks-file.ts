import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PlanMarks } from '@karpenter/core/internal';
import type { Logger } from '@karpenter/runtime';

/** A mark names namespaces, workloads and kinds; a longer file was not written by us. */
const MOST_CHARACTERS = 16 * 1024 * 1024;

/** What a process has in common with the one that it follows, and with no other. */
export interface MarkedProcess {
  /** The API server. */
  readonly cluster: string;
  readonly lease: string;
  /** Those that it listens on: replicas that run beside each other on one host have others. 0 stands for any, and is the same for all. */
  readonly ports: readonly number[];
}

/**
 * A file of the controllers that follow each other on this host for one cluster: of plans, or of lists. It outlives the
 * container, because the chart mounts a volume there.
 */
export const planMarksPath = ({ cluster, lease, ports }: MarkedProcess, of: 'plan' | 'lists' = 'plan'): string => {
  const identity = [cluster, lease, hostname(), ...ports].join('\n');
  return join(tmpdir(), `karpenter-${of}-${createHash('sha256').update(identity).digest('hex').slice(0, 16)}.json`);
};

/**
 * Marks in a file. Where it cannot be written, there are none: work goes on, and that is logged once. So is a mark that
 * is too long.
 */
export const planMarksFile = (path: string, logger: Logger): PlanMarks => {
  const logged = { unusable: false, tooLong: false };
  const safely = <T>(action: () => T): T | undefined => {
    try {
      return action();
    } catch (error) {
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      if (!logged.unusable && !isMissing) logger.warn('no mark is left for the next process: the file cannot be used', { path, error });
      logged.unusable ||= !isMissing;
      return undefined;
    }
  };
  const succeeds = (action: () => void): boolean => safely(() => (action(), true)) ?? false;
  return {
    read: () =>
      safely(() => {
        const text = readFileSync(path, 'utf8');
        return text.length > MOST_CHARACTERS ? undefined : text;
      }),
    write(text) {
      if (text.length <= MOST_CHARACTERS) return succeeds(() => writeFileSync(path, text, { mode: 0o600 }));
      if (!logged.tooLong) logger.warn('a mark for the next process is too long: workloads are left out of it', { path });
      logged.tooLong = true;
      return false;
    },
    clear: () => succeeds(() => rmSync(path, { force: true })),
  };
};
