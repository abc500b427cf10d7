import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type ArmFaultEffect, knownRefusals } from '@karpenter/azure-emulator';
import type { Program } from '@karpenter/kube-api-contract/programs';
import type { Random } from '../bench/inputs/random.ts';
import type { ApiGateway, Weather } from './api-gateway.ts';
import { type Evidence, failedCalls, hasLoaded, isStopped, killProgram, evidenceOfTakeover } from './evidence.ts';
import type { FaultCluster } from './fault-cluster.ts';
import { canMount, fillFileSystem, mountSmall, unmountSmall } from './full-file-system.ts';
import type { Replica } from './replica.ts';

/** What a fault is drawn with. */
export interface FaultDraw {
  readonly random: Random;
  /** Faults last as long as the nightly run has them: freezes 20 to 40 s, bursts a minute, throttling two to seven. */
  readonly isLong: boolean;
}

/** Something that goes wrong, and is right again when `strike` ends, which returns what shows that it went wrong. */
export interface FaultKind {
  readonly name: string;
  /** Before the round, where the fault needs other processes. */
  readonly prepare?: (cluster: FaultCluster) => Promise<void>;
  readonly strike: (cluster: FaultCluster, draw: FaultDraw) => Promise<Evidence>;
  /** After the round. */
  readonly cleanUp?: (cluster: FaultCluster) => Promise<void>;
}

const between = (random: Random, leastMs: number, mostMs: number): number => leastMs + random.below(mostMs - leastMs);
const freezeMs = ({ random, isLong }: FaultDraw): number => (isLong ? between(random, 20_000, 40_000) : between(random, 4_000, 12_000));
/** Longer than the lease of fifteen seconds: the other replica leads meanwhile. */
const pastLeaseMs = ({ random, isLong }: FaultDraw): number => between(random, 18_000, isLong ? 40_000 : 24_000);

/** One to three deaths, up to four seconds apart. */
const again = async ({ random }: FaultDraw, kill: () => Promise<Evidence>): Promise<Evidence> => {
  const evidence: string[] = [];
  for (let deaths = 1 + random.below(3); deaths > 0; deaths -= 1) {
    evidence.push(...(await kill()));
    await pause(random.below(4_000));
  }
  return evidence;
};

const frozen = async (parts: readonly Pick<Program, 'freeze' | 'thaw' | 'pid'>[], ms: number): Promise<Evidence> => {
  for (const part of parts) part.freeze();
  await pause(ms);
  const areStopped = parts.every(({ pid }) => isStopped(pid));
  for (const part of parts) part.thaw();
  return areStopped && parts.length > 0 ? [`processes ${parts.map(({ pid }) => pid).join(', ')} were stopped for ${ms} ms`] : [];
};

const leaderOf = async <T>(cluster: FaultCluster, each: readonly T[]): Promise<readonly T[]> => {
  const place = await cluster.leader();
  return each.slice(place, place + 1);
};

const allKilled = async (parts: readonly Promise<Evidence>[]): Promise<Evidence> => (await Promise.all(parts)).flat();
const replicaKills = (replicas: FaultCluster['replicas']): readonly Promise<Evidence>[] =>
  replicas.map((each) => killProgram(`replica ${each.name}`, each));

const weatherFor = async (gateways: readonly ApiGateway[], weather: Weather, ms: number): Promise<Evidence> => {
  const hits = (): number => gateways.reduce((sum, gateway) => sum + gateway.hits, 0);
  const before = hits();
  for (const gateway of gateways) gateway.become(weather);
  await pause(ms);
  for (const gateway of gateways) gateway.become({ kind: 'clear' });
  return hits() === before ? [] : [`${hits() - before} connections or requests met it`];
};

const azureDoes = async (
  { real }: FaultCluster,
  effects: readonly { effect: ArmFaultEffect; probability: number }[],
  ms: number,
): Promise<Evidence> => {
  const sinceMs = Date.now();
  const rules = effects.map((rule) => real.arm.faults.add(rule));
  await pause(ms);
  for (const rule of rules) rule[Symbol.dispose]();
  return failedCalls(real.arm.requests.all(), sinceMs);
};

/** For so long Azure refuses every call, and says how long that will be, as it does once a subscription has used up its calls. */
const azureRefuses = async ({ real: { arm } }: FaultCluster, ms: number): Promise<Evidence> => {
  const sinceMs = Date.now();
  for (const endMs = performance.now() + ms; performance.now() < endMs;) {
    const leftMs = endMs - performance.now();
    const refusal = knownRefusals.tooManyRequests(Math.ceil(leftMs / 1000));
    using _rule = arm.faults.add({ effect: { kind: 'refuse', refusal } });
    await pause(Math.min(leftMs, 1_000));
  }
  return failedCalls(arm.requests.all(), sinceMs);
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
const fillEtcd = async ({ real: { programs } }: FaultCluster, ms: number): Promise<Evidence> => {
  await programs.etcd.restart({ 'quota-backend-bytes': 65_536 });
  await pause(ms);
  const alarms = await etcdAlarm(programs.etcdUrl, { action: 'GET' }).catch(() => []);
  await programs.etcd.restart();
  while (!(await alarmsOff(programs.etcdUrl).catch(() => false))) await pause(200);
  return alarms.length === 0 ? [] : [`etcd gave the alarm ${JSON.stringify(alarms)}`];
};

/** Debian's libfaketime, which answers for the clock of a process. */
const FAKE_TIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';

const clockFile = ({ real }: FaultCluster, { name }: Replica): string => join(real.programs.folder, `clock-${name}`);

const setClock = (cluster: FaultCluster, replica: Replica, seconds: number): void =>
  writeFileSync(clockFile(cluster, replica), `${seconds < 0 ? '' : '+'}${seconds}s\n`);

interface ClockStep {
  readonly seconds: number;
  readonly forMs: number;
}

/** Forth and back, or back and forth, by up to five minutes. */
const drawnSteps = (random: Random): readonly ClockStep[] => {
  const first = random.oneOf([1, -1]);
  return [first, -first].map((sign) => ({ seconds: sign * (30 + random.below(270)), forMs: between(random, 3_000, 8_000) }));
};

/** Takes the steps, and sets the clock right again. */
const stepClock = async (cluster: FaultCluster, replica: Replica, steps: readonly ClockStep[]): Promise<void> => {
  for (const { seconds, forMs } of steps) {
    setClock(cluster, replica, seconds);
    await pause(forMs);
  }
  setClock(cluster, replica, 0);
};

const clockStep: FaultKind = {
  name: 'clock-step',
  prepare: async (cluster) => {
    for (const replica of cluster.replicas) {
      setClock(cluster, replica, 0);
      await replica.restartWith({
        ...{ LD_PRELOAD: FAKE_TIME, FAKETIME_TIMESTAMP_FILE: clockFile(cluster, replica), FAKETIME_CACHE_DURATION: '1' },
        ...{ FAKETIME_DONT_FAKE_MONOTONIC: '1', FAKETIME_DONT_RESET: '1' },
      });
    }
    await cluster.leader();
  },
  strike: async (cluster, { random }) => {
    const { replicas } = cluster;
    const haveLoaded = (): boolean => replicas.every(({ pid }) => hasLoaded(pid, 'libfaketime'));
    const hadLoaded = haveLoaded();
    const drawn = replicas.map((replica) => [replica, drawnSteps(random)] as const);
    await Promise.all(drawn.map(([replica, steps]) => stepClock(cluster, replica, steps)));
    return hadLoaded && haveLoaded() ? ['both replicas have loaded libfaketime, with clocks of their own'] : [];
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
  {
    name: 'kill-leader',
    strike: (cluster, draw) => again(draw, async () => allKilled(replicaKills(await leaderOf(cluster, cluster.replicas)))),
  },
  { name: 'kill-replicas', strike: (cluster, draw) => again(draw, () => allKilled(replicaKills(cluster.replicas))) },
  {
    name: 'freeze-leader',
    strike: (cluster, draw) =>
      evidenceOfTakeover(cluster, async () => frozen(await leaderOf(cluster, cluster.replicas), pastLeaseMs(draw))),
  },
  { name: 'freeze-replicas', strike: (cluster, draw) => frozen(cluster.replicas, freezeMs(draw)) },
  {
    name: 'cut-off-leader',
    strike: (cluster, draw) =>
      evidenceOfTakeover(cluster, async () => weatherFor(await leaderOf(cluster, cluster.gateways), { kind: 'silent' }, pastLeaseMs(draw))),
  },
  { name: 'reset-connections', strike: ({ gateways }, draw) => weatherFor(gateways, { kind: 'reset' }, freezeMs(draw)) },
  {
    name: 'api-errors',
    strike: ({ gateways }, draw) =>
      weatherFor(gateways, { kind: 'errors', share: 0.5 }, draw.isLong ? 60_000 : between(draw.random, 8_000, 15_000)),
  },
  { name: 'kill-api-server', strike: ({ real }, draw) => again(draw, () => killProgram('kube-apiserver', real.programs.apiServer)) },
  { name: 'freeze-api-server', strike: ({ real }, draw) => frozen([real.programs.apiServer], freezeMs(draw)) },
  { name: 'kill-etcd', strike: ({ real }, draw) => again(draw, () => killProgram('etcd', real.programs.etcd)) },
  { name: 'freeze-etcd', strike: ({ real }, draw) => frozen([real.programs.etcd], freezeMs(draw)) },
  { name: 'full-etcd', strike: (cluster, draw) => fillEtcd(cluster, freezeMs(draw)) },
  {
    name: 'kill-all',
    strike: ({ real: { programs }, replicas }, draw) => {
      const { etcd, apiServer, scheduler, controllerManager } = programs;
      const all = Object.entries({ etcd, apiServer, scheduler, controllerManager });
      return again(draw, () => allKilled([...all.map(([name, program]) => killProgram(name, program)), ...replicaKills(replicas)]));
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
