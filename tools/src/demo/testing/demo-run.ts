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
}

/** Runs the demo in a pipe, as a process of its own, to its end. */
export const runInPipe = async ({ args, interruptAt }: DemoRunOptions): Promise<DemoRun> => {
  const folder = mkdtempSync(join(tmpdir(), 'demo-test-'));
  const child = spawn(process.execPath, [repository('tools/dist/demo.js'), ...args], {
    env: { ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    if (interruptAt !== undefined && line.startsWith(interruptAt)) child.kill('SIGINT');
  });
  const [exitCode] = (await once(child, 'close')) as [number | null];
  const leftBehind = readdirSync(folder);
  rmSync(folder, { recursive: true });
  return { exitCode, lines, leftBehind };
};
