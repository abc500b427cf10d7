/** Every call can be aborted. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}
