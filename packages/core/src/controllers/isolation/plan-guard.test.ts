import { fakeClock } from '@karpenter/runtime';
import { describe, expect, test } from '@jest/globals';
import type { ClusterSnapshot } from '../../cluster/index.ts';
import type { Pod } from '../../kube/index.ts';
import type { Decision } from '../../ports/index.ts';
import { PlanGuard } from './plan-guard.ts';
import type { PlanMarks } from './plan-marks.ts';

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

const aPod = (namespace: string, name: string, owner?: string): Pod => ({
  metadata: {
    ...{ name, namespace, uid: `${namespace}/${name}` },
    ...(owner === undefined ? {} : { ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: owner, uid: owner }] }),
  },
  spec: { containers: [] },
});

const snapshotOf = (pendingPods: readonly Pod[]): ClusterSnapshot => ({
  ...{ nodePools: [], nodes: [], daemonSets: [], podDisruptionBudgets: [], namespaceLabels: new Map() },
  pendingPods,
});

const namesIn = ({ pendingPods }: ClusterSnapshot): readonly string[] =>
  pendingPods.map(({ metadata: { namespace = '', name } }) => `${namespace}/${name}`);

/** The file, over the lives of several processes. */
const memory = (text?: string): PlanMarks & { text: string | undefined } => ({
  text,
  read() {
    return this.text;
  },
  write(fresh) {
    this.text = fresh;
  },
  clear() {
    this.text = undefined;
  },
});

const clock = fakeClock(Date.UTC(2026, 0, 1));

describe('a process that ends during a disruption plan', () => {
  const guardOf = (marks: PlanMarks, told: Decision[] = []): PlanGuard =>
    new PlanGuard({ clock: disruptionClock, reporter: { report: (decision) => void told.push(decision) }, marks });
  const disruptionClock = fakeClock(Date.UTC(2026, 0, 1));

  test('once changes nothing: the next one plans disruption, and its end takes the suspicion away', () => {
    const file = memory();
    guardOf(file).beginDisruption();
    const next = guardOf(file);
    expect(next.beginDisruption()).toBe(true);
    next.endDisruption();
    expect(file.text).toBeUndefined();
  });

  test('and then another: the third plans no disruption for ten minutes, says so, and goes on with pods', async () => {
    const file = memory();
    guardOf(file).beginDisruption();
    guardOf(file).beginDisruption();
    const told: Decision[] = [];
    const third = guardOf(file, told);
    expect(third.beginDisruption()).toBe(false);
    expect(told).toMatchObject([{ kind: 'unclean-end', during: ['disruption plan'] }]);
    const pods = [aPod('shop', 'web')];
    expect(namesIn(third.begin(snapshotOf(pods)))).toEqual(['shop/web']);
    third.end();
    await disruptionClock.advance(600_001);
    expect(third.beginDisruption()).toBe(true);
    third.endDisruption();
    expect(file.text).toBeUndefined();
  });

  test('while pods are planned too: both are suspected', () => {
    const file = memory();
    const first = guardOf(file);
    first.begin(snapshotOf([aPod('shop', 'web'), aPod('bank', 'api')]));
    first.beginDisruption();
    const next = guardOf(file);
    expect(namesIn(next.begin(snapshotOf([aPod('shop', 'web'), aPod('else', 'x')])))).toEqual(['else/x']);
    expect(next.beginDisruption()).toBe(true);
  });
});

const processes = (pods: readonly Pod[], isDeadly: (pod: Pod) => boolean) => {
  const file = memory();
  const told: Decision[] = [];
  const marks: PlanMarks = { read: () => file.read(), write: (text) => file.write(text), clear: () => file.clear() };
  /** One process: plans until nothing is left to plan, or until it dies. Returns what it planned. */
  const live = (): { readonly planned: ReadonlySet<string>; readonly died: boolean } => {
    const guard = new PlanGuard({ clock, reporter: { report: (decision) => void told.push(decision) }, marks });
    const planned = new Set<string>();
    for (const _ of range(100)) {
      const part = guard.begin(snapshotOf(pods));
      if (part.pendingPods.some(isDeadly)) return { planned, died: true };
      for (const name of namesIn(part)) planned.add(name);
      guard.end();
      if (!guard.hasMore) return { planned, died: false };
    }
    throw new Error('a process never comes to an end with its parts');
  };
  return { live, told, file };
};

describe('when no process has died', () => {
  test('everything is planned at once, and no mark stays', () => {
    const { live, told, file } = processes([aPod('a', 'web'), aPod('b', 'web')], () => false);
    expect(live()).toEqual({ planned: new Set(['a/web', 'b/web']), died: false });
    expect([told, file.text]).toEqual([[], undefined]);
  });
});

describe('when a workload ends every process that plans it', () => {
  const good = range(40).flatMap((index) => [aPod(`team-${index}`, 'web'), aPod(`team-${index}`, 'db')]);
  const bad = range(5).map((index) => aPod('team-7', `bad-${index}`, 'bad'));
  const { live, told } = processes([...good, ...bad], ({ metadata }) => metadata.name.startsWith('bad'));
  const lives = range(6).map(live);

  test('the loop ends after four deaths, with all others planned', () => {
    expect(lives.map(({ died }) => died)).toEqual([true, true, true, true, false, false]);
    expect(lives[4]?.planned).toEqual(new Set(good.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)));
  });

  test('the second process already plans nearly all others before it dies', () => {
    expect(lives[1]?.planned.size).toBeGreaterThan(10);
  });

  test('its pods are named, and what was planned when a process died', () => {
    expect(told.filter(({ kind }) => kind === 'unclean-end')).toHaveLength(4);
    const blamed = told.flatMap((each) => (each.kind === 'quarantined' ? each.subjects.map(({ name }) => name) : []));
    expect(blamed).toEqual(bad.map(({ metadata }) => metadata.name));
  });
});

test('after ten minutes a workload that was left out is tried again', async () => {
  const { live, told } = processes([aPod('a', 'web'), aPod('b', 'bad')], ({ metadata }) => metadata.name === 'bad');
  expect(range(4).map(() => live().died)).toEqual([true, true, true, false]);
  await clock.advance(600_001);
  expect(live().died).toBe(true);
  expect(told.length).toBeGreaterThan(3);
});

test.each(['', '{', '[]', '{"during":"x","suspects":[1],"blamed":[{"unit":3}]}', 'null'])(
  'a mark that cannot be read (%s) counts as none',
  (text) => {
    const guard = new PlanGuard({ clock, reporter: { report: () => undefined }, marks: memory(text) });
    const snapshot = snapshotOf([aPod('a', 'web')]);
    expect(guard.begin(snapshot)).toBe(snapshot);
    guard.end();
    expect(guard.hasMore).toBe(false);
  },
);
