import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Bundle } from './bundle.ts';

/** How the process ended. */
export interface ProcessEnd {
  /** Absent when a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
  readonly tookMs: number;
}

export interface ControllerProcessOptions {
  readonly bundle: Bundle;
  readonly args?: readonly string[];
  /** All of its environment: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
}

/** The bundled controller in a process of its own. Disposing it kills that process, and no other. */
export interface ControllerProcess extends AsyncDisposable {
  readonly pid: number;
  /** Lines of its log so far. */
  readonly log: readonly string[];
  readonly ended: Promise<ProcessEnd>;
  hasEnded(): boolean;
  kill(signal: NodeJS.Signals): Promise<ProcessEnd>;
  /** Resolves with the first line of the log, past ones included, that holds `text`. Rejects when the process ends without. */
  said(text: string): Promise<string>;
}

const endOf = async (child: ChildProcess, stderr: () => string): Promise<ProcessEnd> => {
  const startedAtMs = performance.now();
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return { code, signal, stderr: stderr(), tookMs: performance.now() - startedAtMs };
};

/** Starts it; free ports are taken unless `args` names some. */
export const startControllerProcess = ({ bundle, args = [], env }: ControllerProcessOptions): ControllerProcess => {
  const ports = { METRICS_PORT: '0', HEALTH_PROBE_PORT: '0' };
  // The second process of a bundle starts in half the time.
  const compiled = { NODE_COMPILE_CACHE: join(dirname(bundle.path), 'compiled') };
  const child = spawn(process.execPath, [bundle.path, ...args], {
    env: { ...compiled, ...ports, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { pid } = child;
  if (pid === undefined) throw new Error('the controller could not be started');
  const log: string[] = [];
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const lines = createInterface({ input: child.stdout }).on('line', (line) => {
    log.push(line);
    (globalThis as { readonly loggedByTest?: string[] }).loggedByTest?.push(line);
  });
  const ended = endOf(child, () => stderr);
  const said = async (text: string): Promise<string> => {
    const find = (): string | undefined => log.find((line) => line.includes(text));
    const end = ended.then(({ code }) => `exit code ${code ?? 'none'}`);
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      const next = await Promise.race([once(lines, 'line'), end]);
      if (typeof next === 'string' && find() === undefined) throw new Error(`the controller ended (${next}) without "${text}": ${stderr}`);
    }
  };
  const kill = (signal: NodeJS.Signals): Promise<ProcessEnd> => {
    child.kill(signal);
    return ended;
  };
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const dispose = async (): Promise<void> => {
    await kill('SIGKILL');
  };
  return { pid, log, ended, hasEnded, kill, said, [Symbol.asyncDispose]: dispose };
};
