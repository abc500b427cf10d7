import { type DestinationStream, pino, stdSerializers } from 'pino';
import type { Logger } from './logger.ts';

/** Lines of less importance are dropped. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** A logger whose level can change while the process runs. */
export interface LeveledLogger extends Logger {
  setLevel(level: LogLevel): void;
}

/** Where lines go and which. */
export interface PinoLoggerOptions {
  readonly level?: LogLevel;
  /** stdout when left out, written synchronously: a line that was logged before a crash is there. */
  readonly destination?: DestinationStream;
  /** Fields of every line. */
  readonly base?: Readonly<Record<string, unknown>>;
}

/**
 * Writes JSON lines: `level` in upper case, `time` in ISO 8601, `message`, then the fields. An `error` field is written
 * with its causes.
 */
export const createPinoLogger = ({ level = 'info', destination, base = {} }: PinoLoggerOptions = {}): LeveledLogger => {
  const target = destination ?? pino.destination({ fd: 1, sync: true });
  const lines = pino(
    {
      level,
      base,
      messageKey: 'message',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label.toUpperCase() }) },
      serializers: { error: stdSerializers.errWithCause },
    },
    target,
  );
  return {
    debug: (message, fields = {}) => lines.debug(fields, message),
    info: (message, fields = {}) => lines.info(fields, message),
    warn: (message, fields = {}) => lines.warn(fields, message),
    error: (message, fields = {}) => lines.error(fields, message),
    setLevel: (next) => {
      lines.level = next;
    },
  };
};
