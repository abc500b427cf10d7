import { expect, test } from '@jest/globals';
import { finish } from '../../base/index.ts';
import type { ClusterSnapshot, NodeView } from '../../cluster/index.ts';
import { aBareNode } from '../../cluster/testing/a-bare-cluster.ts';
import type { Pod } from '../../kube/index.ts';
import type { Plan, PlannedNode } from '../../scheduling/index.ts';
import { aNodeClaim, aPod } from '../../testing/objects.ts';
import { keepingWanted } from './provisioning.ts';

const viewOfClaim = (name: string, claimName: string, isMarkedForDeletion = false): NodeView =>
  aBareNode({ name, claim: aNodeClaim(claimName), isMarkedForDeletion });
const [bound, waiting, other] = [aPod('bound'), aPod('waiting'), aPod('other')];
const plannedNodeWith = (...pods: Pod[]) => ({ nodePoolName: 'default', pods }) as unknown as PlannedNode;

/** What is left of the plan when only `waiting` and `other` still want a place. */
const wanted = (plan: Pick<Plan, 'placements' | 'plannedNodes'>, nodesNow: readonly NodeView[]) => {
  const snapshot = { nodes: [viewOfClaim('n', 'claim-1')] } as unknown as ClusterSnapshot;
  const state = { views: () => nodesNow, wantsPlace: (pod: Pod) => pod !== bound, buffers: { views: () => [] } };
  return finish(keepingWanted({ ...plan, rejections: [], pricePerHour: 0 }, snapshot, { state, nowMs: 0 }));
};
const onNode = (...pods: Pod[]) => ({ placements: new Map([['n', pods]]), plannedNodes: [] });
const onNew = (...plannedNodes: PlannedNode[]) => ({ placements: new Map<string, Pod[]>(), plannedNodes });

test('pods that were bound, or deleted, while the plan was made are nominated for nothing', () => {
  const { nominations } = wanted(onNode(bound, waiting), [viewOfClaim('n', 'claim-1')]);
  expect(nominations.map(({ pods }) => pods)).toEqual([[waiting]]);
});

test.each<[string, readonly NodeView[]]>([
  ['is gone', []],
  ['is on its way out', [viewOfClaim('n', 'claim-1', true)]],
  ['is another machine of the same name', [viewOfClaim('n', 'claim-2')]],
])('a node that %s by now gets no nominations', (_, nodesNow) => {
  expect(wanted(onNode(waiting), nodesNow).nominations).toEqual([]);
});

test('a node that is known by its own name by now, and by its claim before, is the same machine', () => {
  expect(wanted(onNode(waiting), [viewOfClaim('vm-17', 'claim-1')]).nominations).toHaveLength(1);
});

test('a planned node is created for the pods that still want it, and not at all when none does', () => {
  const { plannedNodes } = wanted(onNew(plannedNodeWith(bound), plannedNodeWith(bound, waiting), plannedNodeWith(other)), []);
  expect(plannedNodes.map(({ pods }) => pods)).toEqual([[waiting], [other]]);
});
