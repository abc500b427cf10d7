import { describe, expect, test } from '@jest/globals';
import { requeueAfter, silentLogger } from '@karpenter/runtime';
import type { NodeClaim } from '../apis/index.ts';
import type { Condition, Node } from '../kube/index.ts';
import { FakeCluster } from '../ports/fixtures/fake-cluster.ts';
import { fedInterruptionOf, interruptionFeed, interruptionInConditions } from './interruption-feed.ts';
import type { InterruptionMessage } from './interruption-feed.ts';

const { signal } = new AbortController();
const AT = '2026-01-01T00:00:00Z';
const AT_MS = Date.parse(AT);

describe('announcements in conditions', () => {
  const interruptionOf = interruptionInConditions({
    noticeMs: { Preempt: 30_000, Terminate: 300_000 },
    read: ({ type, message }) => [{ reason: type, ...(message !== undefined && { deadlineMs: Date.parse(message) }) }],
  });
  const aNode = (...conditions: readonly Partial<Condition>[]): Node => ({
    metadata: { name: 'n' },
    status: { conditions: conditions.map((each) => ({ type: 'Preempt', status: 'True', lastTransitionTime: AT, ...each })) },
  });

  test.each<[string, Node, ReturnType<typeof interruptionOf>]>([
    ['count from when the condition became true', aNode({}), { reason: 'Preempt', deadlineMs: AT_MS + 30_000 }],
    ['hold to what they say', aNode({ message: '2026-01-01T00:01:00Z' }), { reason: 'Preempt', deadlineMs: AT_MS + 60_000 }],
    ['that came first count', aNode({ type: 'Terminate' }, {}), { reason: 'Preempt', deadlineMs: AT_MS + 30_000 }],
    ['that are over say nothing', aNode({ status: 'False' }), undefined],
    ['of other things say nothing', aNode({ type: 'Ready' }), undefined],
    ['are missing where there are no conditions', { metadata: { name: 'n' } }, undefined],
  ])('%s', (_, node, expected) => {
    expect(interruptionOf(node)).toEqual(expected);
  });
});

describe('announcements that come by a queue', () => {
  const aClaim = (name: string, nodeName?: string): NodeClaim => ({
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: { name },
    spec: { requirements: [], nodeClassRef: { group: 'acme.dev', kind: 'AcmeNodeClass', name: 'default' } },
    status: { providerID: `acme:///${name}`, ...(nodeName !== undefined && { nodeName }) },
  });
  const start = (...names: readonly string[]) => {
    const cluster = new FakeCluster();
    cluster.seed('NodeClaim', aClaim('a', 'node-of-a'));
    cluster.seed('NodeClaim', aClaim('young'));
    cluster.seed('Node', { metadata: { name: 'node-of-a' } });
    const done: string[] = [];
    const messages = names.map((name): InterruptionMessage => ({
      providerId: `acme:///${name}`,
      interruption: { reason: 'Preempt', deadlineMs: AT_MS + 999 },
      done: () => {
        done.push(name);
        return Promise.resolve();
      },
    }));
    const feed = interruptionFeed({
      ...{ name: 'acme.interruption', everyMs: 5000, logger: silentLogger, receive: () => Promise.resolve(messages) },
      kube: {
        list: () => Promise.resolve({ items: cluster.kind('NodeClaim').list(), resourceVersion: '1' }),
        patch: (...call) => cluster.patch(...call),
      },
    });
    const node = (): Node => cluster.kind('Node').get({ name: 'node-of-a' });
    return { done, node, reconcile: () => feed.reconcile({ signal }) };
  };

  test('are written on the node, from where they are read', async () => {
    const { done, node, reconcile } = start('a');
    expect(fedInterruptionOf(node())).toBeUndefined();
    expect(await reconcile()).toEqual(requeueAfter(0));
    expect([fedInterruptionOf(node()), done]).toEqual([{ reason: 'Preempt', deadlineMs: AT_MS }, ['a']]);
  });

  test('about a machine whose node is still to come are left to come again; those about nobody’s machine are not', async () => {
    const { done, reconcile } = start('young', 'stranger');
    expect(await reconcile()).toEqual(requeueAfter(5000));
    expect(done).toEqual(['stranger']);
  });

  test('are searched for after a while when there was none', async () => {
    expect(await start().reconcile()).toEqual(requeueAfter(5000));
  });

  test('that make no sense say nothing', () => {
    expect(fedInterruptionOf({ metadata: { name: 'n', annotations: { 'karpenter.sh/interruption': 'Preempt soon' } } })).toBeUndefined();
  });
});
