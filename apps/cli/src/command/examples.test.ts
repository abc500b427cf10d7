import { expect, test } from '@jest/globals';
import { startLiveCluster } from '../testing/live-cluster.ts';
import { runCommand } from '../testing/run-command.ts';
import { examples } from './examples.ts';

const all = Object.entries(examples).flatMap(([name, list]) => list.map(({ command }) => [name, command] as const));

test.each(all.filter(([, command]) => !command.includes('--watch')))('%s: the help shows what works: %s', async (name, command) => {
  const isLive = !/ (--from|-f|completion) /.test(command);
  await using live = isLive ? await startLiveCluster() : undefined;
  const line = command.replace('karpenter ', '') + (live === undefined ? '' : ` --kubeconfig ${live.kubeconfig}`);
  const { complaints, out } = await runCommand(line);
  expect(complaints).toEqual([]);
  expect(out).not.toBe('');
  expect((await runCommand(`${name} --help`, { width: 100 })).out).toContain(command);
});
