import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;

/** Runs a program to its end and returns what it wrote. Throws with what it wrote to standard error. */
export type RunProgram = (program: string, args: readonly string[], input?: string) => Promise<string>;

const execute = promisify(execFile);

/** `signal` ends the program before its time. */
export const runProgram =
  (signal?: AbortSignal): RunProgram =>
  async (program, args, input) => {
    const running = execute(program, [...args], { maxBuffer: MAX_OUTPUT_BYTES, ...(signal && { signal }) });
    running.child.stdin?.end(input ?? '');
    return (await running).stdout;
  };
