import { expect, test } from '@jest/globals';
import type { NodeClaim } from '../../apis/index.ts';
import type { ClusterSnapshot, NodeView } from '../../cluster/index.ts';
import type { Pod } from '../../kube/index.ts';
import { FakeCluster } from '../../ports/fixtures/fake-cluster.ts';
import type { Plan } from '../../scheduling/index.ts';
import { REPLACES_ANNOTATION, commandRecordText } from '../../state/index.ts';
import { fakeShell } from '../fixtures/fake-shell.ts';
import { GroupRelease } from './group-release.ts';

const member = (name: string): Pod => ({
  metadata: { name, labels: { 'scheduling.x-k8s.io/pod-group': 'train' }, annotations: { 'karpenter.sh/pod-group-min-member': '2' } },
  spec: { containers: [] },
});
const claim = { metadata: { name: 'claim-1', uid: 'u1' } } as NodeClaim;
const node = { name: 'claim-1', claim, pods: [member('a')], isInitialized: false, isMarkedForDeletion: false } as unknown as NodeView;
const plan: Plan = {
  ...{ plannedNodes: [], placements: new Map(), pricePerHour: 0 },
  rejections: [{ pod: member('b'), reason: { kind: 'no-node-pools' } }],
};

test('a replacement of another node stays, though only a member is nominated for it', async () => {
  const shell = fakeShell(new FakeCluster());
  const record = { id: 'c1', method: 'drift', reason: 'Drifted', startedMs: 0, candidates: ['old'], replacements: 1, savingsPerHour: 0 };
  const replacement = { ...claim, metadata: { ...claim.metadata, annotations: { [REPLACES_ANNOTATION]: commandRecordText(record) } } };
  const snapshot = { nodes: [{ ...node, claim: replacement }] } as unknown as ClusterSnapshot;
  expect(await new GroupRelease(shell).after(plan, snapshot, new AbortController().signal)).toBe(false);
  expect(shell.reported).toEqual([]);
});

test('a group loses its nodes five times in 15 minutes, and again later', async () => {
  const shell = fakeShell(new FakeCluster());
  const groups = new GroupRelease(shell);
  const { signal } = new AbortController();
  const release = () => groups.after(plan, { nodes: [node] } as unknown as ClusterSnapshot, signal);
  for (const expected of [true, true, true, true, true, false]) expect(await release()).toBe(expected);
  await shell.clock.advance(15 * 60_000);
  expect(await release()).toBe(true);
});
