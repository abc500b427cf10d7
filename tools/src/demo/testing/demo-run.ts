import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { repository } from '../../repository.ts';

/** What a run of the demo came to. */
export interface DemoRun {
  readonly exitCode: number | null;
  readonly lines: readonly string[];
  /** Files in the temporary folder that the run had to itself. */
  readonly leftBehind: readonly string[];
}

export interface DemoRunOptions {
  readonly args: readonly string[];
  /** Ctrl-C as soon as a line begins so. */
  readonly interruptAt?: string;
  /** Runs before that Ctrl-C, while the demo is up. Gets the lines so far. */
  readonly beforeInterrupt?: (lines: readonly string[]) => Promise<void>;
}

/** Runs the demo in a pipe, as a process of its own, to its end. */
export const runInPipe = async ({ args, interruptAt, beforeInterrupt }: DemoRunOptions): Promise<DemoRun> => {
  const folder = mkdtempSync(join(tmpdir(), 'demo-test-'));
  const child = spawn(process.execPath, [repository('tools/dist/demo.js'), ...args], {
    env: { ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close') as Promise<[number | null]>;
  const lines: string[] = [];
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      lines.push(line);
      if (interruptAt === undefined || !line.startsWith(interruptAt)) continue;
      await beforeInterrupt?.(lines);
      child.kill('SIGINT');
    }
  } finally {
    child.kill('SIGINT');
  }
  const [exitCode] = await closed;
  const leftBehind = readdirSync(folder);
  rmSync(folder, { recursive: true });
  return { exitCode, lines, leftBehind };
};
