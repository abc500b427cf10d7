import type { Logger } from './logger.ts';

/** Where a report is made, for the log line about its failure. */
export interface ReportContext {
  readonly logger: Logger;
  /** Fields that name the report: the decision, the object. */
  readonly about: Readonly<Record<string, unknown>>;
}

/**
 * Makes a report: a log line, a metric, an event. If it throws, that is logged and goes no further: a report never
 * fails the decision or the action that it is about. Returns whether it succeeded.
 */
export const reportSafely = ({ logger, about }: ReportContext, report: () => void): boolean => {
  try {
    report();
    return true;
  } catch (error) {
    logSafely(() => logger.error('a report failed', { ...about, error }));
    return false;
  }
};

/** Writes a log line. A logger that throws has nowhere to report to. */
export const logSafely = (write: () => void): void => {
  try {
    write();
  } catch {
    // Nothing is left to report it by.
  }
};
