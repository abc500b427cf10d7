import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApiObject } from '@karpenter/api-server';
import { afterAll, expect, jest, test } from '@jest/globals';
import { podsOf, isRunning } from './testing/clusters/cluster-census.ts';
import { aDeployment, aNodeClass, aPool, scaleInflate } from './testing/clusters/objects.ts';
import { startFastCluster, type TestCluster } from './testing/clusters/test-cluster.ts';
import { eventually } from './testing/eventually.ts';
import { copiedBundle } from './testing/processes/bundle.ts';
import { type ControllerProcess, type ProcessEnd, startControllerProcess } from './testing/processes/controller-process.ts';

jest.setTimeout(240_000);
const bundle = copiedBundle();
afterAll(() => bundle[Symbol.dispose]());

const LEASE = { namespace: 'kube-system', name: 'karpenter-leader-election' };
const SERVED = 6;

/**
 * Loaded into the controller before all else: as soon as a plan begins that has pods of the namespace `greedy`, memory
 * runs out, or the process is killed. That such a plan begins is seen by its mark.
 */
const deadly = (how: 'memory runs out' | 'kill'): string => {
  const end = how === 'kill' ? 'process.kill(process.pid, "SIGKILL")' : 'const held = []; for (;;) held.push(new Array(1e5).fill(0))';
  const source = `
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const write = fs.writeFileSync;
fs.writeFileSync = (path, text, ...rest) => {
  write(path, text, ...rest);
  const { during = [] } = String(path).includes('karpenter-plan-') ? JSON.parse(text) : {};
  if (during.some((unit) => unit.split('/')[0] === 'greedy')) { ${end}; }
};
syncBuiltinESMExports();`;
  return `--max-old-space-size=192 --import data:text/javascript,${encodeURIComponent(source)}`;
};

const inNamespace = (object: ApiObject, namespace: string): ApiObject => ({ ...object, metadata: { ...object.metadata, namespace } });

const served = (cluster: TestCluster): number => podsOf(cluster).filter(isRunning).length;

/** A process has served the ordinary pods; now more of them come, and those of the greedy namespace. */
const provoke = async (cluster: TestCluster, { log }: ControllerProcess): Promise<void> => {
  await eventually('ordinary pods run', () => served(cluster) === SERVED, { instead: () => log.slice(-10).join('\n') });
  cluster.local.create(inNamespace(aDeployment({ name: 'hog', replicas: 3 }), 'greedy'));
  scaleInflate(cluster, 2 * SERVED);
};

/** One process after the other, until one outlives its plans. Takes the lease of each that died away, as if it had passed. */
const livesOf = async (cluster: TestCluster, folder: string) => {
  const ends: ProcessEnd[] = [];
  const logs: string[] = [];
  for (const how of ['memory runs out', 'kill', 'kill', 'kill', 'kill', 'kill'] as const) {
    const life: ControllerProcess = startControllerProcess({
      bundle,
      env: { ...cluster.environment(), TMPDIR: folder, NODE_OPTIONS: deadly(how) },
      args: ['--batch-idle-duration=200ms', '--batch-max-duration=1s'],
    });
    if (ends.length === 0) await provoke(cluster, life);
    const isNamed = (): boolean => life.log.some((line) => line.includes('left out because it triggers'));
    await eventually('the controller ends or names a workload', () => life.hasEnded() || isNamed(), {
      instead: () => life.log.slice(-10).join('\n'),
    });
    logs.push(life.log.join('\n'));
    if (!life.hasEnded()) return { ends, logs, last: life };
    ends.push(await life.ended);
    cluster.local.delete('Lease', LEASE);
  }
  throw new Error(`no process outlived its plans: ${logs.at(-1) ?? ''}`);
};

test('a workload that ends each process that plans it: others get nodes, and the fourth process leaves it out by name', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'deaths-'));
  await using cluster = await startFastCluster(40);
  const { local } = cluster;
  for (const object of [aNodeClass, aPool(), { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'greedy' } }]) local.create(object);
  local.create(aDeployment({ replicas: SERVED }));

  const { ends, logs, last } = await livesOf(cluster, folder);
  await using _ = last;
  expect(ends.map(({ signal }) => signal)).toEqual(['SIGABRT', 'SIGKILL', 'SIGKILL']);
  expect(ends[0]?.stderr).toContain('heap out of memory');
  // A disruption plan may run at the same time, and is named too.
  const during = (log = ''): readonly string[] =>
    (JSON.parse(/"during":(\[[^\]]*\])/.exec(log)?.[1] ?? '[]') as readonly string[]).filter((unit) => /^(?:default|greedy)/.test(unit));
  const workload = expect.stringMatching(/^greedy\/ReplicaSet hog-/);
  expect(logs.map(during)).toEqual([[], ['default', 'greedy'], ['greedy'], [workload]]);
  expect(logs[1]).toContain('nodeclaim created');
  expect(logs[3]).toMatch(/"Pod greedy\/hog-.*left out because it triggers a bug/);

  await eventually('all ordinary pods run', () => served(cluster) === 2 * SERVED, { instead: () => last.log.slice(-10).join('\n') });
  scaleInflate(cluster, 4 * SERVED);
  await eventually('pods that come later run, too', () => served(cluster) === 4 * SERVED, {
    instead: () => last.log.slice(-10).join('\n'),
  });
  expect(last.hasEnded()).toBe(false);
  const events = local.list<ApiObject>({ kind: 'Event' }, { namespace: 'greedy' });
  expect(JSON.stringify(events)).toContain('the process ended while it planned this pod');
  rmSync(folder, { recursive: true });
});
