import { isFieldProblem, memoByObject, shapeProblem } from '../base/index.ts';
import type { FieldProblem, Steps } from '../base/index.ts';
import type { LabelCatalog, NodePool } from '../apis/index.ts';
import { nodePoolProblems } from '../apis/index.ts';
import { soundTypes } from '../catalog/index.ts';
import { labelSelectorProblem, namespacedNameOf, podSpecProblem } from '../kube/index.ts';
import type { DaemonSet } from '../kube/index.ts';
import type { ClusterSnapshot, LeftOut, NodePoolView } from './cluster-snapshot.ts';
import { slicesInBounds } from './device-view.ts';
import { isUsageKnown, nodeViewProblem, readingUsage, RESOURCES_OF_A_NODE } from './node-view.ts';
import type { NodeView } from './node-view.ts';
import { nodePoolShape, shapesByKind } from './plain/plain-shapes.ts';
import { daemonRequirements } from './pods/daemon-overhead.ts';
import type { PodSelector } from './pods/pod-selector.ts';

/** A snapshot that is readable throughout, and what was left out for that. */
export interface SoundSnapshot {
  /** The snapshot itself where all of it is sound. */
  readonly snapshot: ClusterSnapshot;
  readonly leftOut: readonly LeftOut[];
}

/** Judges each object once for each catalog: lists in it may have thousands of values. */
const remembering = <T extends object>(problemOf: (object: T, catalog: LabelCatalog) => FieldProblem | undefined) => {
  const judged = memoByObject((catalog: LabelCatalog) => memoByObject((object: T) => ({ problem: problemOf(object, catalog) })));
  return (object: T, catalog: LabelCatalog): FieldProblem | undefined => judged(catalog)(object).problem;
};

const poolProblem = remembering<NodePool>(
  (nodePool, catalog) => shapeProblem(nodePoolShape, nodePool, '') ?? nodePoolProblems(nodePool, catalog)[0],
);

/** Keeps the sound ones of a list, and the list itself where all are. */
const sift = <T>(all: readonly T[], judge: (each: T) => LeftOut | undefined, leftOut: LeftOut[]): readonly T[] => {
  const sound = all.filter((each) => {
    const found = judge(each);
    if (found !== undefined) leftOut.push(found);
    return found === undefined;
  });
  return sound.length === all.length ? all : sound;
};

const judgement = (kind: LeftOut['kind'], name: string, problem: FieldProblem | undefined): LeftOut | undefined =>
  problem && { kind, name, problem };

const siftTypes = (view: NodePoolView, leftOut: LeftOut[]): NodePoolView => {
  const { types, broken } = soundTypes(view.instanceTypes);
  for (const { name, problem } of broken) leftOut.push({ kind: 'InstanceType', name: `${view.nodePool.metadata.name}/${name}`, problem });
  return types === view.instanceTypes ? view : { ...view, instanceTypes: types };
};

const daemonSetProblem = remembering<DaemonSet>((daemonSet, catalog) => {
  const misshapen = shapeProblem(shapesByKind.DaemonSet, daemonSet, '');
  if (misshapen !== undefined) return misshapen;
  const { template } = daemonSet.spec;
  const asked = podSpecProblem(template.spec) ?? daemonRequirements(catalog)(template.spec);
  return isFieldProblem(asked) ? { ...asked, field: asked.field.replace('spec', 'spec.template.spec') } : undefined;
});

const siftSelectors = (podSelectors: readonly PodSelector[], leftOut: LeftOut[]): readonly PodSelector[] =>
  sift(
    podSelectors,
    ({ kind, namespace, name, labelSelector }) =>
      judgement(kind, `${namespace}/${name}`, labelSelectorProblem('spec.selector', labelSelector)),
    leftOut,
  );

/** Adding up a full node that was never seen before takes some tenths of a millisecond. */
const NODES_A_STEP = 16;
function* siftingNodes(nodes: readonly NodeView[], leftOut: LeftOut[]): Steps<readonly NodeView[]> {
  const broken = new Set<NodeView>();
  let read = 0;
  for (const node of nodes) {
    if (read >= NODES_A_STEP) {
      read = 0;
      yield;
    }
    if (!isUsageKnown(node)) yield* readingUsage(node);
    const problem = nodeViewProblem(node);
    read += 1 + (problem === undefined ? Object.keys(node.allocatable).length / RESOURCES_OF_A_NODE : 0);
    if (problem === undefined) continue;
    broken.add(node);
    leftOut.push({ kind: 'Node', name: node.name, problem });
  }
  yield;
  return broken.size === 0 ? nodes : nodes.filter((node) => !broken.has(node));
}

/**
 * Leaves out what nothing could be decided by, each with the field named, so that one broken object costs no other its
 * answer. Pending pods stay: a broken one is rejected. A sound snapshot comes back unchanged; judging it costs one read of
 * each node.
 */
export function* readingSound(snapshot: ClusterSnapshot, catalog: LabelCatalog): Steps<SoundSnapshot> {
  const leftOut: LeftOut[] = [];
  const { leftOut: before = [] } = snapshot;
  const pools = sift(
    snapshot.nodePools,
    ({ nodePool }) => judgement('NodePool', nodePool.metadata.name, poolProblem(nodePool, catalog)),
    leftOut,
  );
  const nodePools = pools.map((view) => siftTypes(view, leftOut));
  yield;
  const daemonSets = sift(
    snapshot.daemonSets,
    (daemonSet) => judgement('DaemonSet', namespacedNameOf(daemonSet.metadata), daemonSetProblem(daemonSet, catalog)),
    leftOut,
  );
  const podDisruptionBudgets = sift(
    snapshot.podDisruptionBudgets,
    ({ metadata, spec }) =>
      judgement('PodDisruptionBudget', namespacedNameOf(metadata), labelSelectorProblem('spec.selector', spec.selector)),
    leftOut,
  );
  const podSelectors = snapshot.podSelectors && siftSelectors(snapshot.podSelectors, leftOut);
  const nodes = yield* siftingNodes(snapshot.nodes, leftOut);
  const { read: slices, beyond } = slicesInBounds(snapshot.devices?.slices ?? []);
  leftOut.push(...beyond.map((each) => ({ kind: 'ResourceSlice' as const, ...each })));
  if (leftOut.length === 0) return { snapshot, leftOut: before };
  const devices = snapshot.devices && { devices: { ...snapshot.devices, slices } };
  const sound = { ...snapshot, nodePools, daemonSets, podDisruptionBudgets, nodes, ...devices };
  return { snapshot: podSelectors === undefined ? sound : { ...sound, podSelectors }, leftOut: [...before, ...leftOut] };
}
