import { type CommandRun, type RunOptions, runCommand } from './run-command.ts';

/** A command for each question about a cluster. */
export const liveCommands = [
  'nodes',
  'plan -f pods.yaml',
  'why pod/giant-1',
  'why pod/report-1',
  'why node/general-b2',
  'savings',
  'rebalance',
  'diff -f nodepool.yaml',
] as const;

/** An answer without what depends on the moment of the question. */
export interface TimelessAnswer extends Pick<CommandRun, 'code' | 'complaints'> {
  readonly answer: unknown;
}

/** Asks a question with the flags that name its cluster. */
export const askTimeless = async (line: string, options: RunOptions = {}): Promise<TimelessAnswer> => {
  const { out, code, complaints } = await runCommand(`${line} --output json`, options);
  const answer: unknown = JSON.parse(out, (name, value: unknown) => (/^(?:age|createdAt)/.test(name) ? undefined : value));
  return { code, complaints, answer };
};
