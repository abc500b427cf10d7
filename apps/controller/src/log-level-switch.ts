import type { LeveledLogger, LogLevel } from '@karpenter/runtime';

/** The logger, and the level that was chosen at the start. */
export interface SwitchedLog {
  readonly logger: LeveledLogger;
  readonly chosen: LogLevel;
}

/** The process, as a source of signals. */
export interface Signals {
  on(signal: 'SIGUSR2', listener: () => void): unknown;
}

/**
 * Lets each SIGUSR2 toggle between the chosen level and `debug` (`info` where `debug` was chosen), so that no restart
 * is needed to see more.
 */
export const switchLogLevel = (signals: Signals, { logger, chosen }: SwitchedLog): void => {
  const other: LogLevel = chosen === 'debug' ? 'info' : 'debug';
  let level = chosen;
  signals.on('SIGUSR2', () => {
    level = level === chosen ? other : chosen;
    // Logged at a level that is written in any case.
    logger.setLevel('info');
    logger.info('log level switched', { logLevel: level });
    logger.setLevel(level);
  });
};
