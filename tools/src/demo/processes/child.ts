import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export interface ChildOptions {
  readonly name: string;
  /** Absent: this Node. */
  readonly program?: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly onLine: (line: string) => void;
}

/** A process of the demo's own. */
export interface Child {
  readonly name: string;
  /** Resolves when the process has ended and all its output was read, with what it ended with. */
  readonly ended: Promise<string>;
  /** The last lines of its output, for when something went wrong. */
  lastLines(): readonly string[];
  /** SIGTERM, and SIGKILL when that was not heard within `patienceMs`. */
  stop(patienceMs?: number): Promise<void>;
}

const KEPT_LINES = 20;

const endOf = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => {
    child.once('close', (code, signal) => resolve(signal ?? `exit code ${code ?? '?'}`));
    child.once('error', (error) => resolve(error.message));
  });

/**
 * Starts a program with `args`; every line of its output, standard error included, goes to `onLine`. The process leads
 * a group of its own: a Ctrl-C at the terminal reaches the demo alone, which then stops its children in order. Its
 * standard input ends when the demo does.
 */
export const startChild = ({ name, program = process.execPath, args, env, onLine }: ChildOptions): Child => {
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: 'pipe', detached: true });
  const kept: string[] = [];
  const hear = (line: string): void => {
    kept.push(line);
    if (kept.length > KEPT_LINES) kept.shift();
    onLine(line);
  };
  createInterface({ input: child.stdout }).on('line', hear);
  createInterface({ input: child.stderr }).on('line', hear);
  const ended = endOf(child);
  return {
    name,
    ended,
    lastLines: () => kept,
    async stop(patienceMs = 10_000) {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs);
      await ended;
      clearTimeout(timer);
    },
  };
};
