/** Why an expression cannot be read or evaluated. Caught where selectors are evaluated; it never leaves that. */
export class CelError extends Error {
  override readonly name = 'CelError';
}
