/** Every call can be aborted. */
export interface KubeCallOptions {
  readonly signal?: AbortSignal | undefined;
}
