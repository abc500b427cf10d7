import { expect, test } from '@jest/globals';
import { startLiveCluster } from '../testing/live-cluster.ts';
import { type CommandRun, runCommand } from '../testing/run-command.ts';
import { examples } from './examples.ts';

const all = Object.entries(examples).flatMap(([name, list]) => list.map(({ command }) => [name, command] as const));

// preflight needs an Azure: it has tests of its own.
const needsNoAzure = ([name]: readonly [string, string]): boolean => name !== 'preflight';

/** Runs a command; a watch ends after its first text. */
const runToFirstText = async (line: string): Promise<CommandRun> => {
  const stopping = new AbortController();
  const onWrite = line.includes('--watch') ? () => stopping.abort() : () => undefined;
  return runCommand(line, { signal: stopping.signal, onWrite });
};

test.each(all.filter(needsNoAzure))('%s: the help shows what works: %s', async (name, command) => {
  const isLive = !/ (--from|-f|completion|convert) /.test(command);
  await using live = isLive ? await startLiveCluster() : undefined;
  const line = command.replace('karpenter ', '') + (live === undefined ? '' : ` --kubeconfig ${live.kubeconfig}`);
  const { complaints, out } = await runToFirstText(line);
  expect(complaints).toEqual([]);
  expect(out).not.toBe('');
  expect((await runCommand(`${name} --help`, { width: 100 })).out).toContain(command);
});
