/** What the language itself throws when a program is wrong. */
const BUG_CLASSES = [TypeError, RangeError, ReferenceError, SyntaxError, EvalError];

/**
 * Is it a failure, something outside that said no, rather than a bug? Failures are errors with a `code` (KubeError, the error classes of
 * other boundaries, Node's system errors) and aborts; an AggregateError is one when all that it holds are.
 */
export const isFailure = (error: unknown): error is Error => {
  if (error instanceof AggregateError) return error.errors.every(isFailure);
  if (!(error instanceof Error) || BUG_CLASSES.some((bug) => error instanceof bug)) return false;
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return true;
  return 'code' in error && typeof error.code === 'string' && !error.code.startsWith('ERR_ASSERTION');
};
