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
