/**
 * `pnpm bench:command-line`: each question of the bundled command line to a live cluster of 1,000 nodes and 10,000
 * pods. The user has the role of the page. `pnpm --filter @karpenter/cli build` makes the bundle. Time includes the
 * start of its process. `--json` prints JSON.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { liveCommands } from '../../../apps/cli/src/testing/live-commands.ts';
import { createWithStatus, type LiveCluster, startLiveCluster } from '../../../apps/cli/src/testing/live-cluster.ts';
import { aSampleNode, aSamplePod } from '../../../apps/cli/src/testing/sample-cluster.ts';
import { samplePods, samplePool } from '../../../apps/cli/src/testing/sample-manifests.ts';
import { repository } from '../repository.ts';
import { usageHook, usageIn } from './process-usage.ts';
import { type Figure, report } from './report.ts';

const NODES = 995;
const PODS_OF_NODE = 10;
const BAR_SECONDS = 5;

/** Fills the sample cluster up: nodes of 8 cores, a third to nine tenths of each requested. */
const enlarge = ({ server }: LiveCluster): void => {
  server.local.patch('NodePool', { name: 'general' }, { type: 'merge', body: { spec: { limits: { cpu: '20000' } } } });
  for (let index = 0; index < NODES; index += 1) {
    const node = `node-${String(index).padStart(4, '0')}`;
    for (const object of aSampleNode({ name: node, nodePool: 'general', cpus: 8, hoursAgo: 1 + (index % 100) }))
      createWithStatus(server, object);
    const cpu = `${250 + ((index * 37) % 450)}m`;
    for (let pod = 0; pod < PODS_OF_NODE; pod += 1)
      createWithStatus(server, aSamplePod({ name: `app${index % 40}-${index * PODS_OF_NODE + pod}`, cpu, node }));
  }
};

const ask = async (line: string, { kubeconfig }: LiveCluster, folder: string): Promise<readonly Figure[]> => {
  const startedAt = performance.now();
  const args = [`--import=${usageHook}`, repository('apps/cli/dist/main.js'), ...line.split(' '), '--kubeconfig', kubeconfig];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  const [answer, complaints] = await Promise.all([text(child.stdout), text(child.stderr)]);
  await ended;
  const seconds = (performance.now() - startedAt) / 1000;
  const { said, residentKiB, processorSeconds } = usageIn(complaints);
  if (answer === '' || said !== '') throw new Error(`karpenter ${line}: ${said}`);
  return [
    { case: `${line}: wall`, figure: seconds, unit: 's', atMost: BAR_SECONDS },
    { case: `${line}: processor`, figure: processorSeconds, unit: 's' },
    { case: `${line}: resident`, figure: residentKiB / 1024, unit: 'MiB' },
  ];
};

const folder = mkdtempSync(join(tmpdir(), 'command-line-bench-'));
try {
  writeFileSync(join(folder, 'pods.yaml'), samplePods);
  writeFileSync(join(folder, 'nodepool.yaml'), samplePool);
  await using live = await startLiveCluster();
  enlarge(live);
  const figures: Figure[] = [];
  for (const line of liveCommands) figures.push(...(await ask(line, live, folder)));
  report(figures);
} finally {
  rmSync(folder, { recursive: true });
}
