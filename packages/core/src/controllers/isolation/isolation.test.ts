import { describe, expect, test } from '@jest/globals';
import { fakeClock } from '@karpenter/runtime';
import type { ClusterSnapshot } from '../../cluster/index.ts';
import { aBareNode } from '../../cluster/testing/a-bare-cluster.ts';
import type { Pod } from '../../kube/index.ts';
import type { Decision } from '../../ports/index.ts';
import { aPod } from '../../testing/objects.ts';
import { Isolation } from './isolation.ts';

const namespacedPod = (name: string, namespace = 'default', labels: Readonly<Record<string, string>> = {}): Pod =>
  aPod(name, { metadata: { namespace, labels, uid: `${namespace}/${name}` } });

const snapshotOfPods = (pendingPods: readonly Pod[], nodes: ClusterSnapshot['nodes'] = []): ClusterSnapshot => ({
  ...{ nodePools: [], daemonSets: [], podDisruptionBudgets: [], namespaceLabels: new Map() },
  ...{ pendingPods, nodes },
});

const bug = new TypeError('x is undefined');
const signal = new AbortController().signal;

/** Decides which pods are served; pods labelled `odd`, and nodes of that name that are read, trigger a bug. */
const deciding = (snapshot: ClusterSnapshot): Promise<readonly string[]> => {
  const isOdd = snapshot.pendingPods.some(({ metadata }) => metadata.labels?.['odd'] !== undefined);
  const isNodeOdd = snapshot.nodes.some(({ name, isMarkedForDeletion }) => name === 'odd' && !isMarkedForDeletion);
  if (isOdd || isNodeOdd) return Promise.reject(bug);
  return Promise.resolve(snapshot.pendingPods.map(({ metadata }) => metadata.name));
};

const isolating = () => {
  const clock = fakeClock();
  const reported: Decision[] = [];
  const bugs: unknown[] = [];
  const isolation = new Isolation({ clock, reporter: { report: (decision) => void reported.push(decision) } });
  let decisions = 0;
  const decide = (snapshot: ClusterSnapshot) => {
    decisions = 0;
    const counted = (given: ClusterSnapshot) => {
      decisions += 1;
      return deciding(given);
    };
    return isolation.decide(snapshot, counted, { signal, foundBug: (error) => void bugs.push(error) });
  };
  const named = () =>
    reported.flatMap((each) => (each.kind === 'quarantined' ? each.subjects.map(({ kind, name }) => `${kind} ${name}`) : []));
  return { clock, decide, bugs, named, decisions: () => decisions };
};

describe('when a pod triggers a bug', () => {
  const plain = Array.from({ length: 30 }, (_, index) => namespacedPod(`plain-${index}`, `team-${index % 5}`));
  const odd = namespacedPod('odd', 'team-3', { odd: 'yes' });
  const names = plain.map(({ metadata }) => metadata.name);

  test('the others are decided about at once, the pod is named and the bug reported', async () => {
    const { decide, named, bugs } = isolating();
    expect(new Set(await decide(snapshotOfPods([...plain, odd])))).toEqual(new Set(names));
    expect([named(), bugs]).toEqual([['Pod odd'], [bug]]);
  });

  test('the next decision is made without it, in one try', async () => {
    const { decide, bugs, decisions } = isolating();
    await decide(snapshotOfPods([...plain, odd]));
    await decide(snapshotOfPods([...plain, odd]));
    expect([decisions(), bugs.length]).toEqual([1, 1]);
  });

  test('it is decided about again once it has changed', async () => {
    const { decide } = isolating();
    await decide(snapshotOfPods([...plain, odd]));
    expect(await decide(snapshotOfPods([...plain, namespacedPod('odd', 'team-3')]))).toContain('odd');
  });

  test('it is tried again after ten minutes', async () => {
    const { clock, decide, bugs } = isolating();
    await decide(snapshotOfPods([odd]));
    await clock.advance(600_000);
    await decide(snapshotOfPods([odd]));
    expect(bugs).toHaveLength(2);
  });
});

test('when a node triggers a bug it stays by its name, on its way out, and the pods are decided about', async () => {
  const { decide, named } = isolating();
  const nodes = ['a', 'odd', 'z'].map((name) => aBareNode({ name }));
  expect(await decide(snapshotOfPods([namespacedPod('web')], nodes))).toEqual(['web']);
  expect(named()).toHaveLength(1);
});

test('a bug that stays without any object is thrown, and nothing is left out', async () => {
  const { clock, named } = isolating();
  const isolation = new Isolation({ clock, reporter: { report: () => undefined } });
  await expect(isolation.decide(snapshotOfPods([namespacedPod('web')]), () => Promise.reject(bug), { signal })).rejects.toBe(bug);
  expect(named()).toEqual([]);
});

test('a failure is thrown at once', async () => {
  const { clock } = isolating();
  const isolation = new Isolation({ clock, reporter: { report: () => undefined } });
  let tries = 0;
  const failing = () => {
    tries += 1;
    return Promise.reject(new DOMException('aborted', 'AbortError'));
  };
  await expect(isolation.decide(snapshotOfPods([namespacedPod('web')]), failing, { signal })).rejects.toThrow('aborted');
  expect(tries).toBe(1);
});
