/** Structured fields of one line. Errors under `error` are written with message, code, stack and cause. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Where the runtime and its controllers write what happened. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

const ignore = (): void => undefined;

/** Drops every line. */
export const silentLogger: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** A logger that adds `fields` to every line; a line's own fields win. */
export const loggerWith = (logger: Logger, fields: LogFields): Logger => ({
  debug: (message, own) => logger.debug(message, { ...fields, ...own }),
  info: (message, own) => logger.info(message, { ...fields, ...own }),
  warn: (message, own) => logger.warn(message, { ...fields, ...own }),
  error: (message, own) => logger.error(message, { ...fields, ...own }),
});
