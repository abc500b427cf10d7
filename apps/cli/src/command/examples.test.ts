import { expect, test } from '@jest/globals';
import { startLiveCluster } from '../testing/live-cluster.ts';
import { runCommand } from '../testing/run-command.ts';
import { examples } from './examples.ts';

const all = Object.entries(examples).flatMap(([name, list]) => list.map(({ command }) => [name, command] as const));

// A watch does not end, and preflight needs an Azure: they have tests of their own.
const endsWithoutAzure = ([name, command]: readonly [string, string]): boolean => name !== 'preflight' && !command.includes('--watch');

test.each(all.filter(endsWithoutAzure))('%s: the help shows what works: %s', async (name, command) => {
  const isLive = !/ (--from|-f|completion|convert) /.test(command);
  await using live = isLive ? await startLiveCluster() : undefined;
  const line = command.replace('karpenter ', '') + (live === undefined ? '' : ` --kubeconfig ${live.kubeconfig}`);
  const { complaints, out } = await runCommand(line);
  expect(complaints).toEqual([]);
  expect(out).not.toBe('');
  expect((await runCommand(`${name} --help`, { width: 100 })).out).toContain(command);
});
