/**
 * `pnpm bench:lone-pod`: how long a lone pod waits on a quiet cluster, from unschedulable to the first write at Azure
 * for its machine. The controller, as the chart runs it, is a process of its own on an embedded cluster at real speed;
 * the pods come one by one, each when the cluster has been quiet for longer than a batch may last. A number as argument
 * replaces 100 pods; `--json` prints JSON.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { ApiObject, KindRef } from '@karpenter/api-server';
import { conditionOf, type Pod } from '@karpenter/core';
import { aNodeClass, aPool, oneOf } from '../../../apps/controller/src/testing/clusters/objects.ts';
import { startControllerPod } from './controller/controller-pod.ts';
import { report } from './report.ts';

const count = Number(process.argv.slice(2).find((each) => /^\d+$/.test(each)) ?? '100');
/** `--batch-max-duration` is 10 s: until then a second pod counts as part of a stream. */
const QUIET_MS = 10_500;
const POLL_MS = 100;
const LIMIT_MS = 60_000;

type StoredPod = Pod & ApiObject;
const pods: KindRef<StoredPod> = { kind: 'Pod' };

await using pod = await startControllerPod('azure');
const { local, arm } = pod.cluster;
if (arm === undefined) throw new Error('the cluster has no Azure');

/** Pod → when kube-scheduler said that it fits no node, Unix ms. */
const unschedulable = new Map<string, number>();
using _watch = local.watch(pods, ({ object: { metadata, status } }) => {
  if (conditionOf(status?.conditions, 'PodScheduled')?.reason === 'Unschedulable' && !unschedulable.has(metadata.name))
    unschedulable.set(metadata.name, Date.now());
});

/** As large as its node, so that each needs one of its own. */
const lonePod = (name: string): ApiObject => ({
  ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'default' } },
  ...{ spec: { containers: [{ name: 'main', image: 'pause', resources: { requests: { cpu: '1500m' } } }] } },
});

const until = async (what: string, isSo: () => boolean): Promise<void> => {
  for (let waitedMs = 0; !isSo(); waitedMs += POLL_MS) {
    if (waitedMs > LIMIT_MS) throw new Error(`waited in vain until ${what}`);
    await pause(POLL_MS);
  }
};

const isRunning = (name: string): boolean => local.get(pods, { namespace: 'default', name })?.status?.phase === 'Running';

/** Milliseconds until the first write for its machine. */
const waitOf = async (name: string): Promise<number> => {
  const before = arm.requests.all().length;
  local.create(lonePod(name));
  await until(`${name} runs`, () => isRunning(name));
  const first = arm.requests
    .all()
    .slice(before)
    .find(({ method }) => method === 'PUT');
  const fromMs = unschedulable.get(name);
  if (first === undefined || fromMs === undefined) throw new Error(`${name} got no machine of its own`);
  return first.atMs - fromMs;
};

local.create(aNodeClass);
local.create(aPool([oneOf('karpenter.azure.com/sku-cpu', '2')], { disruption: { consolidateAfter: 'Never', budgets: [] } }));
const waitsMs: number[] = [];
for (let index = 0; index < count; index += 1) {
  await pause(QUIET_MS);
  waitsMs.push(await waitOf(`lone-${index}`));
  process.stderr.write(`lone-${index}: ${waitsMs.at(-1)} ms\n`);
}
const sorted = waitsMs.toSorted((a, b) => a - b);
const quantile = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
const name = `${count} lone pods, one by one: unschedulable to the first write at Azure`;
report([
  { case: `${name}, median`, figure: quantile(0.5), unit: 'ms', atMost: 150 },
  { case: `${name}, 99th percentile`, figure: quantile(0.99), unit: 'ms', atMost: 400 },
  { case: `${name}, longest`, figure: quantile(1), unit: 'ms' },
]);
// The embedded cluster's timers would keep the process.
await pod[Symbol.asyncDispose]();
process.exit(0);
