import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { NodePool } from '@karpenter/core';
import type { KubeObject } from '@karpenter/runtime';
import { crdKind, type RealCluster } from '@karpenter/simulator/real-cluster';
import { parseAllDocuments } from 'yaml';
import { aDeployment, aNodeClass, aPool, oneOf } from '../../../apps/controller/src/testing/clusters/objects.ts';
import { type Contestant, startContestant } from '../bench/original/contestant.ts';
import { type TakeoverState, isSettled, stateOf, writesSince } from './cluster-state.ts';

/** Its machines get names that are cut. */
const LONG_POOL = 'a-node-pool-with-quite-a-long-name';
const LIMIT_MS = 600_000;
const POLL_MS = 2_000;

/** What a controller did in a cluster that another one had left. */
export interface TakenOver {
  readonly by: Contestant['name'];
  /** Call that changes something in Azure → how often. */
  readonly writes: Readonly<Record<string, number>>;
  /** Claims, machines and pods are the same, and none has drifted. */
  readonly isSame: boolean;
  readonly before: TakeoverState;
  readonly after: TakeoverState;
}

/** One of the two controllers, with the definitions that it brings. */
export interface TakeoverSide {
  readonly contestant: Contestant;
  readonly crds: readonly string[];
}

export interface TakeOverOptions {
  readonly cluster: RealCluster;
  readonly logPath: (name: string) => string;
  /** How long a controller runs in a cluster where it has nothing to do. */
  readonly quietMs: number;
}

const aPoolNamed = (name: string): NodePool & KubeObject => ({
  ...aPool([oneOf('node.kubernetes.io/instance-type', 'Standard_D4s_v3')]),
  metadata: { name },
});

const podsFor = (name: string, pool: string) =>
  aDeployment({ name, replicas: 1, cpu: '3', podSpec: { nodeSelector: { 'karpenter.sh/nodepool': pool } } });

const objects: readonly KubeObject[] = [
  { ...aNodeClass, spec: { tags: { team: 'web/shop' } } } as KubeObject,
  aPoolNamed('general'),
  aPoolNamed(LONG_POOL),
  podsFor('short', 'general'),
  podsFor('long', LONG_POOL),
];

const settled = async (cluster: RealCluster, pods: number, machines: number): Promise<void> => {
  for (let waitedMs = 0; !(await isSettled(cluster, pods, machines)); waitedMs += POLL_MS) {
    if (waitedMs > LIMIT_MS) {
      const why = cluster.failedBootstraps.map(({ vmName, error }) => `${vmName}: ${error.message}`).join('; ');
      throw new Error(`not ${pods} pods on ${machines} machines: ${JSON.stringify(await stateOf(cluster))} ${why}`);
    }
    await pause(POLL_MS);
  }
};

/** Brings the definitions of the cluster to those of the side that runs next. */
const installDefinitions = async ({ client }: RealCluster, { crds }: TakeoverSide): Promise<void> => {
  const definitions = crds.flatMap((text) =>
    parseAllDocuments(text).map((document) => document.toJS() as (KubeObject & { spec: object }) | null),
  );
  for (const definition of definitions) {
    if (definition === null) continue;
    const { name } = definition.metadata;
    const there = await client.get(crdKind.kind, { name });
    if (there === undefined) await client.create(crdKind.kind, definition);
    else await client.patch(crdKind.kind, { name }, { type: 'merge', body: { spec: definition.spec } });
  }
};

const scale = async ({ client }: RealCluster, name: string, replicas: number): Promise<void> => {
  await client.patch('Deployment', { namespace: 'default', name }, { type: 'merge', body: { spec: { replicas } } });
};

/** Lets a side run in a cluster that another one has left, and then `act`. */
const takenOver = async (options: TakeOverOptions, side: TakeoverSide, act: () => Promise<void>): Promise<TakenOver> => {
  const { cluster, logPath, quietMs } = options;
  const [before, first] = [await stateOf(cluster), cluster.arm.requests.all().length];
  await installDefinitions(cluster, side);
  const files = { cluster: { kubeconfigPath: cluster.kubeconfigPath }, logPath: logPath(`taken-over-by-${side.contestant.name}`) };
  await using _running = await startContestant(side.contestant, files);
  await pause(quietMs);
  const [after, writes] = [await stateOf(cluster), writesSince(cluster, first)];
  const isSame = isDeepStrictEqual(before, after) && after.drifted.length === 0;
  await act();
  return { by: side.contestant.name, writes, isSame, before, after };
};

/**
 * The original makes machines; ours takes them over, makes one more and deletes one; the original takes all of them
 * over and deletes them. Between them each has time to do what it has no reason to do.
 */
export const takeOverBothWays = async (
  options: TakeOverOptions,
  original: TakeoverSide,
  ours: TakeoverSide,
): Promise<readonly TakenOver[]> => {
  const { cluster } = options;
  for (const object of objects) await cluster.client.create(object.kind, object);
  {
    const files = { cluster: { kubeconfigPath: cluster.kubeconfigPath }, logPath: options.logPath('original') };
    await using _running = await startContestant(original.contestant, files);
    await settled(cluster, 2, 2);
    // Tags and extensions follow when the machine is there.
    await pause(30_000);
  }
  const there = await takenOver(options, ours, async () => {
    await scale(cluster, 'short', 2);
    await settled(cluster, 3, 3);
    await scale(cluster, 'long', 0);
    await settled(cluster, 2, 2);
    await pause(30_000);
  });
  const back = await takenOver(options, original, async () => {
    await scale(cluster, 'long', 1);
    await settled(cluster, 3, 3);
    for (const name of ['short', 'long']) await scale(cluster, name, 0);
    await settled(cluster, 0, 0);
  });
  return [there, back];
};
