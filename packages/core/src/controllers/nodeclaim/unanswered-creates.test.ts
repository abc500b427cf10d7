import { expect, test } from '@jest/globals';
import { KubeError } from '@karpenter/runtime';
import type { KubeObject } from '@karpenter/runtime';
import type { NodeClaim } from '../../apis/index.ts';
import type { PlannedNode } from '../../scheduling/index.ts';
import { FakeCluster } from '../../ports/fixtures/fake-cluster.ts';
import { fakeShell } from '../fixtures/fake-shell.ts';
import { unansweredCreates } from './unanswered-creates.ts';

const { signal } = new AbortController();
const claim: NodeClaim = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodeClaim',
  metadata: {
    name: 'general-1',
    labels: { 'karpenter.sh/nodepool': 'general' },
    ownerReferences: [{ apiVersion: 'karpenter.sh/v1', kind: 'NodePool', name: 'general', uid: 'uid-pool' }],
  },
  spec: { requirements: [], nodeClassRef: { group: 'test.dev', kind: 'TestNodeClass', name: 'default' } },
};

/** An API server whose creates time out while it is silent. */
class SilentCluster extends FakeCluster {
  isSilent = true;
  tries = 0;

  override async create<T extends KubeObject>(kind: string, object: T): Promise<T> {
    this.tries += 1;
    if (this.isSilent) throw new KubeError('no answer', { code: 'timeout', cause: undefined });
    return super.create(kind, object);
  }
}

const anUnansweredCreate = () => {
  const cluster = new SilentCluster();
  cluster.seed('NodePool', { metadata: { name: 'general', uid: 'uid-pool' } });
  const shell = fakeShell(cluster);
  const planned = { nodePoolName: 'general' } as PlannedNode;
  shell.state.expected.expect(claim, { kind: 'node-claim-created', planned, reason: 'provisioned' });
  shell.state.expected.answerLost('general-1');
  const controller = unansweredCreates(shell);
  const seconds = async (count: number): Promise<void> => {
    for (let second = 0; second < count; second += 1) {
      await controller.reconcile({ signal });
      await shell.clock.advance(1000);
    }
  };
  return { cluster, shell, seconds, views: () => shell.state.views(shell.clock.now()).map(({ name }) => name) };
};

test('a claim that was not created is created under its name, and reported once', async () => {
  const { cluster, shell, seconds, views } = anUnansweredCreate();
  await seconds(3);
  expect(new Set(shell.reported.map(({ kind }) => kind))).toEqual(new Set(['node-claim-unanswered']));
  cluster.isSilent = false;
  await seconds(20);
  expect(cluster.writes).toEqual(['create NodeClaim general-1']);
  expect(shell.reported.filter(({ kind }) => kind === 'node-claim-created')).toHaveLength(1);
  expect([views(), shell.state.expected.unanswered()]).toEqual([['general-1'], []]);
});

test('a claim that was made after all is not made again', async () => {
  const { cluster, shell, seconds } = anUnansweredCreate();
  cluster.seed('NodeClaim', claim);
  await seconds(1);
  expect([cluster.tries, cluster.writes]).toEqual([0, []]);
  expect(shell.reported.map(({ kind }) => kind)).toEqual(['node-claim-created']);
});

test('a plan that has grown old is not repeated, and its place is kept until no request can be on its way', async () => {
  const { cluster, seconds, views } = anUnansweredCreate();
  await seconds(61);
  const { tries } = cluster;
  await seconds(50);
  expect([cluster.tries, views()]).toEqual([tries, ['general-1']]);
  await seconds(15);
  expect([cluster.tries, views()]).toEqual([tries, []]);
});

test('a request that is refused says nothing of an earlier one that was not answered: the claim is still expected', async () => {
  const { cluster, shell, seconds, views } = anUnansweredCreate();
  const refusal = new KubeError('later', { code: 'too-many-requests', cause: undefined });
  cluster.create = () => Promise.reject(refusal);
  await expect(seconds(1)).rejects.toThrow(refusal);
  expect([views(), shell.state.expected.unanswered().map(({ claim: { metadata } }) => metadata.name)]).toEqual([
    ['general-1'],
    ['general-1'],
  ]);
});

test('when admission denies a later request › that is reported, and the claim is still expected', async () => {
  const { cluster, shell, seconds } = anUnansweredCreate();
  const message = 'admission webhook "policy.test.dev" denied the request: no tags';
  cluster.create = () => Promise.reject(new KubeError(message, { code: 'forbidden', status: 403, cause: undefined }));
  await seconds(1);
  expect(shell.reported).toContainEqual(expect.objectContaining({ kind: 'node-claim-invalid', message }));
  expect(shell.state.expected.unanswered()).toHaveLength(1);
});

test('a claim that is there already and cannot be read is still expected', async () => {
  const { cluster, shell, seconds } = anUnansweredCreate();
  cluster.create = () => Promise.reject(new KubeError('taken', { code: 'already-exists', cause: undefined }));
  cluster.get = () => Promise.reject(new KubeError('later', { code: 'too-many-requests', cause: undefined }));
  await seconds(1);
  expect(shell.state.expected.unanswered()).toHaveLength(1);
});

test('a claim whose pool has gone is not asked for again', async () => {
  const { cluster, seconds } = anUnansweredCreate();
  cluster.kind('NodePool').remove(cluster.kind('NodePool').get({ name: 'general' }));
  await seconds(10);
  expect(cluster.tries).toBe(0);
});
