/** Every call can be given up. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}
