import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { type Clock, type KubeObject, systemClock } from '@karpenter/runtime';
import { parseDocument } from 'yaml';
import { askTimeless, liveCommands } from '../testing/live-commands.ts';
import { liveReader } from '../read/live-reader.ts';
import { createWithStatus, example, type LiveCluster, pageText, roleText, startLiveCluster } from '../testing/live-cluster.ts';
import { runCommand } from '../testing/run-command.ts';
import { warmBuffer, aSampleNode, SAMPLE_NOW_MS } from '../testing/sample-cluster.ts';
import { runCli } from './program.ts';

/** The verbs that the reader used. */
const verbsOf = ({ server }: LiveCluster): ReadonlySet<string> => new Set(server.access.accesses().map(({ verb }) => verb));

describe('on a live cluster, with the role of the page', () => {
  test('every question gets the answer that files give, and nothing is written', async () => {
    await using live = await startLiveCluster();
    for (const line of liveCommands) {
      const served = await askTimeless(`${line} --kubeconfig ${live.kubeconfig}`);
      const filed = await askTimeless(`${line} --from cluster.json`);
      expect({ line, ...served }).toEqual({ line, ...filed });
      expect(served.complaints).toEqual([]);
    }
    expect([...verbsOf(live)].sort()).toEqual(['list', 'watch']);
  });

  test('every kind that is read › stands on the page, for those who read from files', async () => {
    await using live = await startLiveCluster();
    for (const each of warmBuffer) createWithStatus(live.server, each);
    const { complaints } = await runCommand(`plan -f pods.yaml --kubeconfig ${live.kubeconfig}`);
    expect(complaints).toEqual([]);
    const page = pageText();
    const resources = [...new Set(live.server.access.accesses().map(({ resource }) => resource))];
    expect(resources).toEqual(expect.arrayContaining(['resourceslices', 'capacitybuffers', 'nodeoverlays', 'deployments']));
    expect(resources.filter((resource) => !page.includes(resource))).toEqual([]);
  });

  test('rebalance --apply › creates a RebalancePlan, and needs no more than the roles of the examples', async () => {
    const role = readFileSync(example('rebalance-role.yaml'), 'utf8');
    await using live = await startLiveCluster(`${roleText()}---\n${role}`);
    const line = `rebalance --apply --name spring --max-moves 5 --target-savings 0.25 --kubeconfig ${live.kubeconfig}`;
    const running = runCommand(line, { clock: systemClock });
    while (live.server.local.list({ kind: 'RebalancePlan' }).length === 0) await systemClock.sleep(50);
    live.server.local.updateStatus({
      ...live.server.local.get('RebalancePlan', { name: 'spring' }),
      status: { phase: 'Running' },
    } as KubeObject);
    const { code, out, complaints } = await running;
    expect({ code, complaints }).toEqual({ code: 0, complaints: [] });
    expect(out).toContain('RebalancePlan spring created: the controller carries it out');
    expect(live.server.local.get('RebalancePlan', { name: 'spring' })).toMatchObject({
      spec: { maxMoves: 5, targetSavingsPerHour: '0.25' },
    });
    const writes = live.server.access.accesses().filter(({ verb }) => verb !== 'list' && verb !== 'watch');
    expect(writes).toContainEqual(expect.objectContaining({ verb: 'create', resource: 'rebalanceplans' }));
    expect(writes.filter(({ verb }) => verb !== 'create' && verb !== 'get')).toEqual([]);
    const again = await runCommand(line);
    expect([again.code, again.complaints.join()]).toEqual([3, expect.stringContaining('already exists')]);
  });

  test('rebalance --apply where no controller has the feature gate › ends with 1 and says so', async () => {
    await using live = await startLiveCluster(`${roleText()}---\n${readFileSync(example('rebalance-role.yaml'), 'utf8')}`);
    const clock: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(ms === 500 ? 1 : ms, signal) };
    const { code, out } = await runCommand(`rebalance --apply --kubeconfig ${live.kubeconfig}`, {
      clock: { ...clock, now: () => SAMPLE_NOW_MS },
    });
    expect([code, out]).toEqual([
      1,
      expect.stringMatching(/after 10 s no controller has taken it up: has it the feature gate RebalancePlan\?/),
    ]);
  });

  test('why pod/NAME › searches the namespace of the context', async () => {
    await using live = await startLiveCluster();
    const config = parseDocument(readFileSync(live.kubeconfig, 'utf8'));
    config.setIn(['contexts', 0, 'context', 'namespace'], 'team');
    writeFileSync(live.kubeconfig, config.toString());
    const { complaints } = await runCommand(`why pod/web-1 --kubeconfig ${live.kubeconfig}`);
    expect(complaints).toEqual([expect.stringContaining('there is no pod team/web-1')]);
  });

  test('rebalance --apply without the role for it › ends with 3, names the role, and creates nothing', async () => {
    await using live = await startLiveCluster();
    const { code, complaints } = await runCommand(`rebalance --apply --kubeconfig ${live.kubeconfig}`);
    expect([code, complaints.join()]).toEqual([3, expect.stringMatching(/a role is missing at .*rebalanceplans/)]);
    expect(live.server.local.list({ kind: 'RebalancePlan' })).toEqual([]);
  });

  test('a role that is missing is named', async () => {
    await using live = await startLiveCluster(
      roleText().replace('resources: [nodepools, nodeclaims, nodeoverlays]', 'resources: [nodeclaims, nodeoverlays]'),
    );
    const { code, complaints } = await runCommand(`nodes --kubeconfig ${live.kubeconfig}`);
    expect(code).toBe(3);
    expect(complaints.join()).toMatch(/a role is missing at .*nodepools/);
  });

  test('a server that is not there is named', async () => {
    const live = await startLiveCluster();
    await live.server.close();
    const { code, complaints } = await runCommand(`nodes --kubeconfig ${live.kubeconfig}`);
    await live[Symbol.asyncDispose]();
    expect(code).toBe(3);
    expect(complaints.join()).toContain('does not answer');
  });

  test('a server that goes away › the reader knows since when', async () => {
    const live = await startLiveCluster();
    const failures: string[] = [];
    const opened = await liveReader({
      kubeconfig: live.kubeconfig,
      nodeClassKinds: [],
      onFailure: ({ message }) => failures.push(message),
    });
    await opened.reader.listPage('Node');
    expect(opened.lostSinceMs()).toBeUndefined();
    await live.server.close();
    await expect(opened.reader.listPage('Node')).rejects.toThrow();
    expect(opened.lostSinceMs()).toBeLessThanOrEqual(systemClock.now());
    expect(failures).toEqual([expect.stringContaining('does not answer')]);
    await opened.close();
    await live[Symbol.asyncDispose]();
  });

  test('--watch shows a node that comes, and how the price has changed', async () => {
    await using live = await startLiveCluster();
    const stopping = new AbortController();
    const screens: string[] = [];
    const write = (text: string): void => {
      screens.push(text);
      if (screens.length === 2)
        for (const each of aSampleNode({ name: 'new-1', nodePool: 'general', cpus: 8 })) createWithStatus(live.server, each);
      if (text.includes('▲') || screens.length > 20) stopping.abort();
    };
    const code = await runCli(['nodes', '--watch', '--kubeconfig', live.kubeconfig], {
      out: { write, width: 160, hasColor: false },
      complain: (line) => screens.push(line),
      readText: () => Promise.reject(new Error('no file')),
      env: {},
      clock: systemClock,
      signal: stopping.signal,
    });
    expect(code).toBe(0);
    expect(screens.join('')).toContain('▲ $0.234/h since');
    expect([...verbsOf(live)].sort()).toEqual(['list', 'watch']);
  });
});
