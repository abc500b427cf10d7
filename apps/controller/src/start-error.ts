/** The controller cannot start, and a person can do something about it: the message is one line that says what. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
