/** How machines that are requested at about the same time share one request. */
export interface MachineBatching {
  /** How long a machine waits for another one to come along. */
  readonly idleMs: number;
  /** The longest that a machine waits. */
  readonly maxMs: number;
  /** The most machines of one call. */
  readonly most: number;
}
