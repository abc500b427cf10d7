import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export interface ChildOptions {
  readonly name: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly onLine: (line: string) => void;
}

/** A Node process of the demo's own. */
export interface Child {
  readonly pid: number;
  /** Resolves when the process has ended, with what it ended with. */
  readonly ended: Promise<string>;
  /** SIGTERM, and SIGKILL when that was not heard within `patienceMs`. */
  stop(patienceMs?: number): Promise<void>;
}

const endOf = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code ?? '?'}`));
    child.once('error', (error) => resolve(error.message));
  });

/** Starts this Node with `args`; every line of its output, standard error included, goes to `onLine`. */
export const startChild = ({ name, args, env, onLine }: ChildOptions): Child => {
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  if (child.pid === undefined) throw new Error(`${name} could not be started`);
  createInterface({ input: child.stdout }).on('line', onLine);
  createInterface({ input: child.stderr }).on('line', onLine);
  const ended = endOf(child);
  return {
    pid: child.pid,
    ended,
    async stop(patienceMs = 10_000) {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs);
      await ended;
      clearTimeout(timer);
    },
  };
};
