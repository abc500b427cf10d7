const NAME = 'StartError';

/** The process cannot start, and a person can do something about it: the message is one line that says what. */
export class StartError extends Error {
  override readonly name = NAME;

  /** By name: a plugin that was loaded brings its own copy of this class. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && 'name' in value && value.name === NAME;
  }
}
