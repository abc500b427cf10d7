import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type ArmFaultEffect, knownRefusals } from '@karpenter/azure-emulator';
import type { Program } from '@karpenter/api-server/programs';
import type { Random } from '../bench/inputs/random.ts';
import type { Weather } from './api-gateway.ts';
import type { FaultCluster } from './fault-cluster.ts';
import { canMount, fillFileSystem, mountSmall, unmountSmall } from './full-file-system.ts';

/** What a fault is drawn with. */
export interface FaultDraw {
  readonly random: Random;
  /** Faults last as long as the nightly run has them: freezes 20 to 40 s, bursts a minute, throttling two to seven. */
  readonly isLong: boolean;
}

/** Something that goes wrong, and is right again when `strike` ends. */
export interface FaultKind {
  readonly name: string;
  /** Before the round, where the fault needs other processes. */
  readonly prepare?: (cluster: FaultCluster) => Promise<void>;
  readonly strike: (cluster: FaultCluster, draw: FaultDraw) => Promise<void>;
  /** After the round. */
  readonly cleanUp?: (cluster: FaultCluster) => Promise<void>;
}

const between = (random: Random, leastMs: number, mostMs: number): number => leastMs + random.below(mostMs - leastMs);
const freezeMs = ({ random, isLong }: FaultDraw): number => (isLong ? between(random, 20_000, 40_000) : between(random, 4_000, 12_000));
/** Longer than the lease of fifteen seconds: the other replica leads meanwhile. */
const pastLeaseMs = ({ random, isLong }: FaultDraw): number => between(random, 18_000, isLong ? 40_000 : 24_000);

/** One to three deaths, up to four seconds apart. */
const again = async ({ random }: FaultDraw, kill: () => Promise<unknown>): Promise<void> => {
  for (let deaths = 1 + random.below(3); deaths > 0; deaths -= 1) {
    await kill();
    await pause(random.below(4_000));
  }
};

const frozen = async (frozenParts: readonly Pick<Program, 'freeze' | 'thaw'>[], ms: number): Promise<void> => {
  for (const part of frozenParts) part.freeze();
  await pause(ms);
  for (const part of frozenParts) part.thaw();
};

const killLeader = async (cluster: FaultCluster): Promise<void> => cluster.replicas[await cluster.leader()]?.kill();
const killReplicas = ({ replicas }: FaultCluster): Promise<unknown> => Promise.all(replicas.map((each) => each.kill()));

const weatherForLeader = async (cluster: FaultCluster, weather: Weather, ms: number): Promise<void> => {
  const gateway = cluster.gateways[await cluster.leader()];
  gateway?.become(weather);
  await pause(ms);
  gateway?.become({ kind: 'clear' });
};

const weatherForAll = async ({ gateways }: FaultCluster, weather: Weather, ms: number): Promise<void> => {
  for (const gateway of gateways) gateway.become(weather);
  await pause(ms);
  for (const gateway of gateways) gateway.become({ kind: 'clear' });
};

const azureDoes = async (
  { real }: FaultCluster,
  effects: readonly { effect: ArmFaultEffect; probability: number }[],
  ms: number,
): Promise<void> => {
  const rules = effects.map((rule) => real.arm.faults.add(rule));
  await pause(ms);
  for (const rule of rules) rule[Symbol.dispose]();
};

/** For so long Azure refuses every call, and says how long that will be, as it does once a subscription has used up its calls. */
const azureRefuses = async ({ real: { arm } }: FaultCluster, ms: number): Promise<void> => {
  for (const endMs = performance.now() + ms; performance.now() < endMs;) {
    const leftMs = endMs - performance.now();
    const refusal = knownRefusals.tooManyRequests(Math.ceil(leftMs / 1000));
    using _rule = arm.faults.add({ effect: { kind: 'refuse', refusal } });
    await pause(Math.min(leftMs, 1_000));
  }
};

const etcdAlarm = async (url: string, body: object): Promise<readonly object[]> => {
  const answer = await fetch(`${url}/v3/maintenance/alarm`, { method: 'POST', body: JSON.stringify(body) });
  return ((await answer.json()) as { readonly alarms?: readonly object[] }).alarms ?? [];
};

/** Takes back all alarms of etcd. False: it does not answer yet. */
const alarmsOff = async (url: string): Promise<boolean> => {
  for (const alarm of await etcdAlarm(url, { action: 'GET' })) await etcdAlarm(url, { action: 'DEACTIVATE', ...alarm });
  return (await etcdAlarm(url, { action: 'GET' })).length === 0;
};

/** Refuses writes for so long: etcd has used up the space that it may have, which is raised afterwards. */
const fillEtcd = async ({ real: { programs } }: FaultCluster, ms: number): Promise<void> => {
  await programs.etcd.restart({ 'quota-backend-bytes': 65_536 });
  await pause(ms);
  await programs.etcd.restart();
  while (!(await alarmsOff(programs.etcdUrl).catch(() => false))) await pause(200);
};

/** Debian's libfaketime, which answers for the clock of a process. */
const FAKE_TIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';

const clockFile = ({ real }: FaultCluster): string => join(real.programs.folder, 'clock');

const setClocks = (cluster: FaultCluster, seconds: number): void =>
  writeFileSync(clockFile(cluster), `${seconds < 0 ? '' : '+'}${seconds}s\n`);

const clockStep: FaultKind = {
  name: 'clock-step',
  prepare: async (cluster) => {
    setClocks(cluster, 0);
    const env = {
      ...{ LD_PRELOAD: FAKE_TIME, FAKETIME_TIMESTAMP_FILE: clockFile(cluster), FAKETIME_CACHE_DURATION: '1' },
      ...{ FAKETIME_DONT_FAKE_MONOTONIC: '1', FAKETIME_DONT_RESET: '1' },
    };
    for (const replica of cluster.replicas) await replica.restartWith(env);
    await cluster.leader();
  },
  strike: async (cluster, { random }) => {
    for (const sign of random.oneOf([
      [1, -1],
      [-1, 1],
    ])) {
      setClocks(cluster, sign * (30 + random.below(270)));
      await pause(between(random, 3_000, 8_000));
    }
    setClocks(cluster, 0);
  },
  cleanUp: async (cluster) => {
    for (const replica of cluster.replicas) await replica.restartWith({});
    await cluster.leader();
  },
};

const fullFileSystem: FaultKind = {
  name: 'full-file-system',
  prepare: async (cluster) => {
    await mountSmall(cluster);
    await cluster.leader();
  },
  strike: (cluster, draw) => fillFileSystem(cluster, freezeMs(draw)),
  cleanUp: async (cluster) => {
    await unmountSmall(cluster);
    await cluster.leader();
  },
};

const everywhere: readonly FaultKind[] = [
  { name: 'kill-leader', strike: (cluster, draw) => again(draw, () => killLeader(cluster)) },
  { name: 'kill-replicas', strike: (cluster, draw) => again(draw, () => killReplicas(cluster)) },
  {
    name: 'freeze-leader',
    strike: async (cluster, draw) =>
      frozen(
        [cluster.replicas[await cluster.leader()]].filter((each) => each !== undefined),
        pastLeaseMs(draw),
      ),
  },
  { name: 'freeze-replicas', strike: (cluster, draw) => frozen(cluster.replicas, freezeMs(draw)) },
  { name: 'cut-off-leader', strike: (cluster, draw) => weatherForLeader(cluster, { kind: 'silent' }, pastLeaseMs(draw)) },
  { name: 'reset-connections', strike: (cluster, draw) => weatherForAll(cluster, { kind: 'reset' }, freezeMs(draw)) },
  {
    name: 'api-errors',
    strike: (cluster, draw) =>
      weatherForAll(cluster, { kind: 'errors', share: 0.5 }, draw.isLong ? 60_000 : between(draw.random, 8_000, 15_000)),
  },
  { name: 'kill-api-server', strike: ({ real }, draw) => again(draw, () => real.programs.apiServer.kill()) },
  { name: 'freeze-api-server', strike: ({ real }, draw) => frozen([real.programs.apiServer], freezeMs(draw)) },
  { name: 'kill-etcd', strike: ({ real }, draw) => again(draw, () => real.programs.etcd.kill()) },
  { name: 'freeze-etcd', strike: ({ real }, draw) => frozen([real.programs.etcd], freezeMs(draw)) },
  { name: 'full-etcd', strike: (cluster, draw) => fillEtcd(cluster, freezeMs(draw)) },
  {
    name: 'kill-all',
    strike: async (cluster, draw) => {
      const { etcd, apiServer, scheduler, controllerManager } = cluster.real.programs;
      await again(draw, () =>
        Promise.all([...[etcd, apiServer, scheduler, controllerManager].map((each) => each.kill()), killReplicas(cluster)]),
      );
    },
  },
  {
    name: 'azure-throttled',
    strike: (cluster, draw) =>
      azureDoes(
        cluster,
        [{ effect: { kind: 'refuse', refusal: knownRefusals.tooManyRequests(5) }, probability: 0.9 }],
        draw.isLong ? 120_000 : between(draw.random, 15_000, 25_000),
      ),
  },
  {
    name: 'azure-throttled-for-minutes',
    // At night longer than the five minutes that a claim has to launch.
    strike: (cluster, draw) => azureRefuses(cluster, between(draw.random, 120_000, draw.isLong ? 420_000 : 180_000)),
  },
  {
    name: 'azure-errors',
    strike: (cluster, draw) =>
      azureDoes(
        cluster,
        [
          { effect: { kind: 'refuse', refusal: knownRefusals.internalError() }, probability: 0.2 },
          { effect: { kind: 'reset', when: 'before' }, probability: 0.2 },
          { effect: { kind: 'reset', when: 'after' }, probability: 0.2 },
        ],
        draw.isLong ? 60_000 : between(draw.random, 8_000, 15_000),
      ),
  },
];

/** The kinds that this machine can have: steps of the clock need libfaketime, a full file system the right to mount one. */
export const faultKinds = (): readonly FaultKind[] => [
  ...everywhere,
  ...(existsSync(FAKE_TIME) ? [clockStep] : []),
  ...(canMount() ? [fullFileSystem] : []),
];
