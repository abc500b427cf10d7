import { spawnSync } from 'node:child_process';

export interface CommandStep {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
}

/**
 * Runs a program to its end. Gives what it wrote to its output; `failure` holds everything it said when it did not end
 * with 0.
 */
export const runStep = ({ command, args, cwd }: CommandStep): { readonly output: string; readonly failure?: string } => {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (error) return { output: '', failure: error.message };
  return status === 0 ? { output: stdout } : { output: stdout, failure: `${stdout}${stderr}` };
};
