import { setTimeout as pause } from 'node:timers/promises';
import { conditionOf, type Node, type NodeClaim, type Pod } from '@karpenter/core';
import type { KubeClient, KubeObject } from '@karpenter/runtime';
import type { ScriptAct, ScriptStep } from './metric-script.ts';
import { growthOf, type ScrapedValues } from './scraped-values.ts';

const POLL_MS = 1000;
/** Longer than a pass of disruption, its validation, and the period of gauges. */
const QUIET_MS = 45_000;
/** Between two objects: the pods of each Deployment are planned by themselves, and share no node. */
const APART_MS = 15_000;
const STEP_LIMIT_MS = 15 * 60_000;

/** A step, and what metrics said of it. */
export interface PlayedStep extends ScrapedValues {
  readonly name: string;
}

/** A cluster with a controller at work. */
export interface ScriptStage {
  readonly client: KubeClient;
  readonly scrape: () => Promise<ScrapedValues>;
}

const list = async <T>(client: KubeClient, kind: string): Promise<readonly (T & KubeObject)[]> =>
  (await client.list<T & KubeObject>(kind)).items;

const perform = async (act: ScriptAct, client: KubeClient): Promise<void> => {
  if ('create' in act) {
    await client.create(act.create.kind, act.create);
    await pause(APART_MS);
  } else if ('patch' in act) await client.patch(act.patch.kind, act.patch, { type: 'merge', body: act.body });
  else if (act.delete.name !== undefined)
    await client.delete(act.delete.kind, { ...act.delete, name: act.delete.name }, { propagationPolicy: 'Background' });
  else for (const { metadata } of await list<KubeObject>(client, act.delete.kind)) await client.delete(act.delete.kind, metadata);
};

/** What the cluster looks like; undefined while something is under way. */
const pictureOf = async (client: KubeClient, old: ReadonlySet<string>) => {
  const [pods, nodes, claims] = await Promise.all([
    list<Pod>(client, 'Pod'),
    list<Node>(client, 'Node'),
    list<NodeClaim>(client, 'NodeClaim'),
  ]);
  const isGoing = [...pods, ...nodes, ...claims].some(({ metadata }) => metadata.deletionTimestamp !== undefined);
  const areUp = claims.every(({ status }) => conditionOf(status?.conditions, 'Initialized')?.status === 'True');
  if (isGoing || !areUp || claims.length !== nodes.length) return undefined;
  return {
    nodes: nodes.length,
    pods: pods.length,
    running: pods.filter(({ status }) => status?.phase === 'Running').length,
    isFresh: claims.every(({ metadata }) => !old.has(metadata.name)),
  };
};

const waitFor = async ({ name, until }: ScriptStep, client: KubeClient, old: ReadonlySet<string>): Promise<void> => {
  if ('waitMs' in until) return pause(until.waitMs);
  const endMs = Date.now() + STEP_LIMIT_MS;
  let sinceMs = Date.now();
  while (Date.now() - sinceMs < QUIET_MS) {
    if (Date.now() > endMs) throw new Error(`“${name}” did not come to its end within a quarter of an hour`);
    await pause(POLL_MS);
    const picture = await pictureOf(client, old);
    const isSo = picture?.nodes === until.nodes && picture.pods === until.pods && picture.running === until.running;
    if (!isSo || (until.fresh === true && !picture.isFresh)) sinceMs = Date.now();
  }
};

/** Plays the steps in real time; `seen` hears of each. */
export const playScript = async (
  steps: readonly ScriptStep[],
  { client, scrape }: ScriptStage,
  seen: (step: PlayedStep) => void,
): Promise<readonly PlayedStep[]> => {
  const played: PlayedStep[] = [];
  let before = await scrape();
  for (const step of steps) {
    const old = new Set((await list<NodeClaim>(client, 'NodeClaim')).map(({ metadata }) => metadata.name));
    for (const act of step.acts) await perform(act, client);
    await waitFor(step, client, old);
    const after = await scrape();
    played.push({ name: step.name, ...growthOf(before, after) });
    before = after;
    seen(played.at(-1) as PlayedStep);
  }
  return played;
};
