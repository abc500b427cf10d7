/**
 * `pnpm test:odd-objects`: odd Nodes, NodeClaims and NodePools on Kubernetes' own control plane with two replicas of
 * the bundled controller. They are added one by one: beside each a pod gets a node of its own. After each eight all
 * pods go, and their nodes too, before the odd objects are removed. `KARPENTER_CONTROL_PLANE` names the folder of the
 * programs (`pnpm build:control-plane`). `--kind Node`, `--from N` and `--count N` choose among the objects, `--json`
 * prints JSON. Ends with 1 when an object stood in the way, a reconcile met a bug, or a replica ended. A replica may
 * end because it lost its lease, as happens on a busy machine.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { KubeError, type KubeObject } from '@karpenter/runtime';
import {
  type Odd,
  oddNode,
  oddNodeClaim,
  oddNodeClaims,
  oddNodePool,
  oddNodePools,
  oddNodes,
} from '../../packages/testkit/src/stories/odd-objects.ts';
import { bundleModule } from './bench/controller/bundled.ts';
import { inputRandom } from './bench/inputs/random.ts';
import { FaultCluster } from './faults/fault-cluster.ts';
import { ALONE } from './faults/fault-workloads.ts';
import { watchReplicas } from './faults/replica.ts';

const { values } = parseArgs({
  options: {
    ...{ kind: { type: 'string', multiple: true }, from: { type: 'string', default: '0' }, count: { type: 'string' } },
    json: { type: 'boolean', default: false },
  },
});
const assets = process.env['KARPENTER_CONTROL_PLANE'];
if (assets === undefined) throw new Error('KARPENTER_CONTROL_PLANE names no folder: CONTRIBUTING.md says how its programs are built');

/** A pod waits at most so long for its node, and the node to go. */
const LIMIT_MS = 150_000;
const POLL_MS = 250;
/** So many objects are there at once before they are removed. */
const GROUP = 8;

/** How a cluster did beside one object. `refused`: the API server does not take it. */
interface Probe {
  readonly kind: string;
  readonly what: string;
  readonly outcome: 'served' | 'refused' | 'failed';
  /** Until the pod ran. */
  readonly seconds: number;
  readonly problems: readonly string[];
}

type Chosen = ReturnType<typeof numbered>[number];

/** The object with the class that the cluster has, and with names that it takes. */
const ofAzure = (object: KubeObject): KubeObject =>
  JSON.parse(
    JSON.stringify(object)
      .replaceAll('karpenter.simulated.test', 'karpenter.azure.com')
      .replaceAll('SimulatedNodeClass', 'AKSNodeClass')
      // kube-apiserver refuses names that begin with an underscore.
      .replaceAll('"__proto__"', '"valueOf"'),
  ) as KubeObject;

const numbered = (odd: Readonly<Record<string, Odd>>, object: (odd: Odd, index: number) => KubeObject) =>
  Object.entries(odd).map(([what, each], index) => ({ what, object: ofAzure(object(each, index)) }));

const logs = mkdtempSync(join(tmpdir(), 'karpenter-odd-'));

/** Waits until it is so. Returns the seconds it took, or undefined when that was too long. */
const secondsUntil = async (isSo: () => Promise<boolean>): Promise<number | undefined> => {
  const startMs = performance.now();
  while (performance.now() < startMs + LIMIT_MS) {
    if (await isSo().catch(() => false)) return (performance.now() - startMs) / 1000;
    await pause(POLL_MS);
  }
  return undefined;
};

const ownNodes = async (cluster: FaultCluster): Promise<number> =>
  (await cluster.nodes()).filter(({ metadata }) => metadata.labels?.['karpenter.sh/nodepool'] === ALONE.pool).length;

const running = async (cluster: FaultCluster): Promise<number> =>
  (await cluster.pods()).filter(({ status }) => status?.phase === 'Running').length;

/** Deletes the object, and what keeps it. */
const remove = async ({ real: { client } }: FaultCluster, { kind, metadata: { name } }: KubeObject): Promise<void> => {
  await client.delete(kind, { name });
  const isGone = async (): Promise<boolean> => (await client.get(kind, { name })) === undefined;
  for (const endMs = performance.now() + 30_000; performance.now() < endMs;) {
    if (await isGone()) return;
    await pause(POLL_MS);
  }
  await client.patch(kind, { name }, { type: 'merge', body: { metadata: { finalizers: null } } });
};

/** Adds the object, and a pod that needs a node of its own. */
const probe = async (cluster: FaultCluster, { what, object }: Chosen, pods: number): Promise<Probe> => {
  const about = { kind: object.kind, what };
  try {
    await cluster.real.client.create(object.kind, object);
  } catch (error) {
    if (!(error instanceof KubeError)) throw error;
    return { ...about, outcome: 'refused', seconds: 0, problems: [error.message.slice(0, 200)] };
  }
  const problemsOf = watchReplicas(cluster.replicas);
  await cluster.scale(ALONE.name, pods);
  const seconds = await secondsUntil(async () => (await running(cluster)) === pods);
  const problems = [...(seconds === undefined ? ['the pod got no node'] : []), ...problemsOf()];
  return { ...about, outcome: problems.length === 0 ? 'served' : 'failed', seconds: seconds ?? LIMIT_MS / 1000, problems };
};

/** Takes all pods away: their nodes go, with the odd objects still there. */
const probeEnd = async (cluster: FaultCluster): Promise<Probe> => {
  const problemsOf = watchReplicas(cluster.replicas);
  await cluster.scale(ALONE.name, 0);
  const seconds = await secondsUntil(async () => (await ownNodes(cluster)) === 0);
  const problems = [...(seconds === undefined ? ['empty nodes stayed'] : []), ...problemsOf()];
  return {
    kind: 'all',
    what: 'the end of all pods',
    outcome: problems.length === 0 ? 'served' : 'failed',
    seconds: seconds ?? LIMIT_MS / 1000,
    problems,
  };
};

const say = ({ kind, what, outcome, seconds, problems }: Probe): void =>
  void process.stderr.write(`${outcome}: ${kind}, ${what}: ${seconds.toFixed(1)} s ${problems.join('; ')}\n`);

/** Probes the objects of a group; the first that fails ends it, because all that follow would fail with it. */
const probeGroup = async (cluster: FaultCluster, group: readonly Chosen[]): Promise<readonly Probe[]> => {
  const probes: Probe[] = [];
  const note = (result: Probe): void => {
    probes.push(result);
    say(result);
  };
  for (const each of group) {
    note(await probe(cluster, each, probes.filter(({ outcome }) => outcome === 'served').length + 1));
    if (probes.at(-1)?.outcome === 'failed') break;
  }
  note(await probeEnd(cluster));
  for (const { object } of group) await remove(cluster, object);
  return probes;
};

const all = [...numbered(oddNodes, oddNode), ...numbered(oddNodeClaims, oddNodeClaim), ...numbered(oddNodePools, oddNodePool)];
const ofKinds = all.filter(({ object }) => values.kind?.includes(object.kind) ?? true);
const from = Number(values.from);
const chosen = ofKinds.slice(from, from + Number(values.count ?? ofKinds.length));

using bundle = await bundleModule(new URL('../../apps/controller/src/main.ts', import.meta.url));
process.stderr.write(`logs in ${logs}\n`);
const probes: Probe[] = [];
{
  await using cluster = await FaultCluster.start({ assets, bundlePath: bundle.path, logs, random: inputRandom(1) });
  await cluster.leader();
  for (let left = chosen; left.length > 0;) {
    const group = await probeGroup(cluster, left.slice(0, GROUP));
    probes.push(...group);
    left = left.slice(group.length - 1);
  }
}
const counts = (['served', 'refused', 'failed'] as const).map(
  (outcome) => `${probes.filter((each) => each.outcome === outcome).length} ${outcome}`,
);
process.stdout.write(values.json ? `${JSON.stringify(probes, null, 2)}\n` : `${probes.length} probes: ${counts.join(', ')}\n`);
process.exitCode = probes.some(({ outcome }) => outcome === 'failed') ? 1 : 0;
