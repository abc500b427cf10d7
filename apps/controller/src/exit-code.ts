/** Exit codes of the process. */
export const EXIT = {
  /** It stopped on request. */
  ok: 0,
  /** It could not start, or could not go on: cluster, credentials, lost leadership. Starting again may help. */
  failed: 1,
  /** Flags or environment are wrong; starting again does not help. */
  usage: 2,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
