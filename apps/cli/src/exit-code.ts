/** What the process ends with, for scripts and CI. */
export const COMMAND_EXIT = {
  ok: 0,
  /** The answer is negative: a pod finds no place, a change is refused. */
  negative: 1,
  /** The command line is not understood. */
  usage: 2,
  /** A cluster, a file or a catalog cannot be read. */
  unreadable: 3,
} as const;

export type CommandExitCode = (typeof COMMAND_EXIT)[keyof typeof COMMAND_EXIT];

/** A person can do something about it: the message is one line that says what. */
export class CommandError extends Error {
  readonly exitCode: CommandExitCode;

  constructor(exitCode: CommandExitCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'CommandError';
    this.exitCode = exitCode;
  }
}

/** What the codes of the operating system mean for a file. */
const FILE_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'permission is denied',
};

/** What went wrong, in one line. */
export const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return FILE_ERRORS[(error as NodeJS.ErrnoException).code ?? ''] ?? error.message;
};
