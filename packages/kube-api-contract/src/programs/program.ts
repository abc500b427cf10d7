import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';

/** A flag without its dashes → its value. */
export type Flags = Readonly<Record<string, string | number | boolean>>;

export interface ProgramFiles {
  readonly path: string;
  /** What it prints goes there. */
  readonly logPath: string;
}

/**
 * A program in a process of its own. Disposing ends it for good and waits for that, so that nothing of it outlives who
 * started it.
 */
export interface Program extends AsyncDisposable {
  /** Of the process that runs, or ran last. */
  readonly pid: number | undefined;
  /** False when it was killed or ended by itself. */
  isRunning(): boolean;
  /** `kill -9`. */
  kill(): Promise<void>;
  /** Starts it again with the same flags, changed by `changed`; kills it first when it still runs. Nothing once it is disposed. */
  restart(changed?: Flags): Promise<void>;
  /** SIGSTOP: it keeps its connections and answers nothing. */
  freeze(): void;
  /** SIGCONT. */
  thaw(): void;
}

const isAlive = (child: ChildProcess): boolean => child.exitCode === null && child.signalCode === null;

/** Starts a program. */
export const startProgram = ({ path, logPath }: ProgramFiles, flags: Flags): Program => {
  const log = openSync(logPath, 'a');
  const start = (all: Flags): ChildProcess =>
    spawn(
      path,
      Object.entries(all).map(([flag, value]) => `--${flag}=${value}`),
      { stdio: ['ignore', log, log] },
    );
  let child = start(flags);
  let isDisposed = false;
  const kill = async (): Promise<void> => {
    if (!isAlive(child)) return;
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  };
  return {
    get pid() {
      return child.pid;
    },
    isRunning: () => isAlive(child),
    kill,
    restart: async (changed = {}) => {
      await kill();
      if (!isDisposed) child = start({ ...flags, ...changed });
    },
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    [Symbol.asyncDispose]: () => {
      isDisposed = true;
      return kill();
    },
  };
};
