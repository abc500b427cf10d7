import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';

/** A flag without its dashes → its value. */
export type Flags = Readonly<Record<string, string | number | boolean>>;

export interface ProgramFiles {
  readonly path: string;
  /** What it prints goes there. */
  readonly logPath: string;
}

/** Starts a program; disposing ends it and waits for that, so that nothing of it outlives who started it. */
export const startProgram = ({ path, logPath }: ProgramFiles, flags: Flags): AsyncDisposable => {
  const log = openSync(logPath, 'a');
  const child = spawn(
    path,
    Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`),
    { stdio: ['ignore', log, log] },
  );
  const end = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  };
  return { [Symbol.asyncDispose]: end };
};
