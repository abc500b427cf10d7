import { describe, expect, test } from '@jest/globals';
import type { DisruptionContext } from '../disruption-context.ts';
import { isStillValid } from '../command-validation.ts';
import { proposeCommand } from '../command-proposal.ts';
import { NOW, aCluster, aNode, aRunningPod, aPool } from '../testing/a-cluster.ts';
import { aContext } from '../testing/a-context.ts';

const SECOND = 1000;
const pools = [aPool({ disruption: { consolidateAfter: '30s', budgets: [{ nodes: '100%' }] } })];

/** Two nodes whose pods fit on one, and an empty one; the pods of `b` settle in so many seconds. */
const proposed = (settlesInSeconds: number, rest: Partial<DisruptionContext> = {}) => {
  const nodes = [aNode('a', { pods: [aRunningPod('web', 1)] }), aNode('b', { pods: [aRunningPod('db', 1)] })];
  const lastPodEventMs = (name: string): number | undefined => (name === 'b' ? NOW + (settlesInSeconds - 30) * SECOND : undefined);
  return proposeCommand(aContext(aCluster(nodes, { nodePools: pools }), { lastPodEventMs, mayHold: true, ...rest }));
};

describe('when the pods of another node settle soon', () => {
  test('consolidation waits for that moment, and the next pass comes then', () => {
    const { command, blocked, hold, nextSettledMs } = proposed(12);
    expect(command).toBeUndefined();
    expect(blocked.get('a')).toEqual({ kind: 'others-settling' });
    expect(blocked.get('b')).toEqual({ kind: 'consolidate-after', consolidateAfter: '30s' });
    expect([hold, nextSettledMs]).toEqual([{ sinceMs: NOW, untilMs: NOW + 12 * SECOND }, NOW + 12 * SECOND]);
  });

  test('it waits for a minute at most, and then searches', () => {
    const since = (secondsAgo: number) => proposed(12, { hold: { sinceMs: NOW - secondsAgo * SECOND, untilMs: NOW } });
    expect(since(50).hold).toEqual({ sinceMs: NOW - 50 * SECOND, untilMs: NOW + 10 * SECOND });
    expect(since(60).hold).toBeUndefined();
    expect(since(60).blocked.get('a')?.kind).not.toBe('others-settling');
  });

  test('a question that is put once is answered at once', () => {
    expect(proposed(12, { mayHold: false }).command?.candidates.map(({ node }) => node.name)).toEqual(['a']);
  });

  test('no node waits for one that its pods keep from being taken anyway', () => {
    const guarded = aRunningPod('db', 1, { metadata: { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } } });
    const nodes = [aNode('a', { pods: [aRunningPod('web', 1)] }), aNode('b', { pods: [guarded] })];
    const lastPodEventMs = (name: string): number | undefined => (name === 'b' ? NOW - 18 * SECOND : undefined);
    const { hold, blocked } = proposeCommand(aContext(aCluster(nodes, { nodePools: pools }), { lastPodEventMs, mayHold: true }));
    expect([hold, blocked.get('b')?.kind]).toEqual([undefined, 'do-not-disrupt-pod']);
  });

  test('the wait goes on through commands for empty nodes, and so comes to its end', () => {
    const cluster = aCluster([aNode('empty'), aNode('a', { pods: [aRunningPod('web', 1)] })], { nodePools: pools });
    const hold = { sinceMs: NOW - 50 * SECOND, untilMs: NOW };
    expect(proposeCommand(aContext(cluster, { mayHold: true, hold }))).toMatchObject({ command: { method: 'emptiness' }, hold });
  });

  test('an empty node does not wait', () => {
    const cluster = aCluster(
      [aNode('empty'), aNode('a', { pods: [aRunningPod('web', 1)] }), aNode('b', { pods: [aRunningPod('db', 1)] })],
      {
        nodePools: pools,
      },
    );
    const lastPodEventMs = (name: string): number | undefined => (name === 'b' ? NOW - 18 * SECOND : undefined);
    expect(proposeCommand(aContext(cluster, { lastPodEventMs, mayHold: true })).command).toMatchObject({
      method: 'emptiness',
      candidates: [{ node: { name: 'empty' } }],
    });
  });
});

test('when the pods of another node settle in more than 30 seconds › consolidation does not wait for it', () => {
  const { hold, command } = proposed(31);
  expect([hold, command?.candidates.map(({ node }) => node.name)]).toEqual([undefined, ['a']]);
});

test('when `consolidateAfter` is shorter than a command waits for its validation › its nodes settle too, and are waited for', () => {
  const short = [aPool({ disruption: { consolidateAfter: '10s', budgets: [{ nodes: '100%' }] } })];
  const nodes = [aNode('a', { pods: [aRunningPod('web', 1)] }), aNode('b', { pods: [aRunningPod('db', 1)] })];
  const after = (secondsAgo: number) => {
    const lastPodEventMs = (name: string): number | undefined => (name === 'b' ? NOW - secondsAgo * SECOND : undefined);
    const context = { lastPodEventMs, planAheadMs: 15 * SECOND, mayHold: true };
    return proposeCommand(aContext(aCluster(nodes, { nodePools: short }), context));
  };
  expect(after(0)).toMatchObject({ hold: { sinceMs: NOW, untilMs: NOW + 5 * SECOND }, nextSettledMs: NOW + 5 * SECOND });
  expect(after(0).command).toBeUndefined();
  expect(
    after(5)
      .command?.candidates.map(({ node }) => node.name)
      .sort(),
  ).toEqual(['a', 'b']);
});

describe('a node whose pods will have settled when a command about it is validated', () => {
  const ahead = proposed(12, { planAheadMs: 15 * SECOND });
  const isValidAfter = (seconds: number): boolean => {
    const { command } = ahead;
    if (command === undefined) throw new Error('there is a command');
    const lastPodEventMs = (name: string): number | undefined => (name === 'b' ? NOW - 18 * SECOND : undefined);
    const nodes = [aNode('a', { pods: [aRunningPod('web', 1)] }), aNode('b', { pods: [aRunningPod('db', 1)] })];
    const context = aContext(aCluster(nodes, { nodePools: pools }), { lastPodEventMs, nowMs: NOW + seconds * SECOND });
    return isStillValid(command, context).valid;
  };

  test('is evaluated already', () => {
    expect(ahead.command?.method).toBe('multi-node');
    expect(ahead.command?.candidates.map(({ node }) => node.name).sort()).toEqual(['a', 'b']);
  });

  test('is left alone where they have not settled by then', () => {
    expect([isValidAfter(11), isValidAfter(12)]).toEqual([false, true]);
  });
});
