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

/** What JSON leaves and a terminal executes, reorders by, or takes for the end of a line. */
const CONTROL = /[\u007f-\u009f\u202a-\u202e\u2066-\u2069\u2028\u2029]/gu;

/** Writes such characters out. They stand in texts only, so that the line means the same. */
const visibleLines = (target: DestinationStream): DestinationStream => ({
  write: (line) => target.write(line.replace(CONTROL, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)),
});

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
    visibleLines(target),
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
