/** What the language itself throws when a program is wrong. */
const BUGS: ReadonlySet<string> = new Set(['TypeError', 'RangeError', 'ReferenceError', 'SyntaxError', 'EvalError', 'AssertionError']);

interface ErrorLike {
  readonly name: string;
  readonly message: string;
  readonly code?: unknown;
  readonly errors?: unknown;
}

/** By shape: errors of Node's own modules belong to another realm where a test runner or a worker brings its own `Error`. */
const isErrorLike = (error: unknown): error is ErrorLike =>
  typeof error === 'object' && error !== null && 'name' in error && typeof error.name === 'string' && 'message' in error;

/**
 * Is it a failure, something outside that said no, rather than a bug? Failures are errors with a `code` (KubeError, the
 * error classes of other boundaries, Node's system errors) and aborts; an AggregateError is one when all that it holds
 * are.
 */
export const isFailure = (error: unknown): error is Error => {
  if (!isErrorLike(error) || BUGS.has(error.name)) return false;
  if (error.name === 'AggregateError') return Array.isArray(error.errors) && error.errors.every(isFailure);
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return true;
  return typeof error.code === 'string';
};

/** What an error says, for a line of a log or an answer. */
export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** What failed of several things that are done apart, so that none holds up another. */
export class Failures {
  readonly #errors: unknown[] = [];

  /** Waits for the work. Never rejects: what the work throws is thrown by `throwIfAny`. */
  async apart(work: Promise<unknown>): Promise<void> {
    await work.catch((error: unknown) => this.#errors.push(error));
  }

  /** `what` names the things in the message: `commands could not be continued`. Errors: the only failure, or all of them as one. */
  throwIfAny(what: string): void {
    if (this.#errors.length > 1) throw new AggregateError(this.#errors, `${this.#errors.length} ${what}`);
    if (this.#errors.length === 1) throw this.#errors[0];
  }
}
