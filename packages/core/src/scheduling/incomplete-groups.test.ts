import { expect, test } from '@jest/globals';
import type { ClusterSnapshot, NodeView } from '../cluster/index.ts';
import type { Pod } from '../kube/index.ts';
import { incompleteGroups } from './plan-assembly.ts';
import type { RejectionReason } from './rejection/rejection.ts';

const member = (name: string, nodeName?: string): Pod => ({
  metadata: {
    name,
    namespace: 'ml',
    labels: { 'scheduling.x-k8s.io/pod-group': 'train' },
    annotations: { 'karpenter.sh/pod-group-min-member': '3' },
  },
  spec: { containers: [], ...(nodeName !== undefined && { nodeName }) },
});
const other: Pod = { metadata: { name: 'web', namespace: 'ml' }, spec: { containers: [] } };
const [a, b, c] = [member('a'), member('b'), member('c')];

const claimView = (name: string, pods: readonly Pod[], given: Partial<NodeView> = {}): NodeView =>
  ({ name, pods, claim: { metadata: { name } }, isInitialized: false, isMarkedForDeletion: false, ...given }) as unknown as NodeView;

/** Names of the nodes that the group may lose when `c` is rejected. */
const idle = (
  nodes: readonly NodeView[],
  kind: RejectionReason['kind'] = 'no-place',
  placements: ReadonlyMap<string, readonly Pod[]> = new Map(),
) =>
  incompleteGroups({ plannedNodes: [], placements, rejections: [{ pod: c, reason: { kind } as RejectionReason }] }, {
    nodes,
  } as unknown as ClusterSnapshot).flatMap((group) => group.nodes.map((node) => `${group.name} ${node.name}`));

test.each<[string, readonly NodeView[], readonly string[]]>([
  ['on their way for its members alone › they are idle', [claimView('n1', [a]), claimView('n2', [b])], ['ml/train n1', 'ml/train n2']],
  ['for another pod as well › this one is not', [claimView('n1', [a, other]), claimView('n2', [b])], ['ml/train n2']],
  ['that are initialized › emptiness sees to them', [claimView('n1', [a], { isInitialized: true }), claimView('n2', [b])], ['ml/train n2']],
  ['on which a member is bound › this one is not', [claimView('n1', [member('a', 'n1')]), claimView('n2', [b])], ['ml/train n2']],
  ['that are being deleted › none', [claimView('n1', [a], { isMarkedForDeletion: true })], []],
  ['that are not Karpenter’s › none', [claimView('n1', [a], { claim: undefined } as never)], []],
  ['without pods › none', [claimView('n1', [])], []],
  ['for as many members as it needs › none', [claimView('n1', [a, b]), claimView('n2', [member('d')])], []],
])('when a member has no place, and the group has nodes %s', (_, nodes, expected) => expect(idle(nodes)).toEqual(expected));

test.each(['stopped', 'postponed', 'too-complex', 'invalid-pod'] as const)('when a member was not planned (%s) › no node is idle', (kind) =>
  expect(idle([claimView('n1', [a])], kind)).toEqual([]),
);

test('when the plan places a member on an in-flight node of the group › this node is idle as well', () =>
  expect(idle([claimView('n1', [])], 'pod-group', new Map([['n1', [a]]]))).toEqual(['ml/train n1']));
