import { type DeviceClass, deviceViewOf, type NodeView, type ResourceClaim, type ResourceSlice } from '@karpenter/core/internal';
import { type OriginalQuestion, qualifiedPodName } from './question.ts';
import { suiteQuestion } from './suite-question.ts';
import type { SuiteQuestion } from './suite-question.ts';
import { recordedTypeOf } from './suite-types.ts';
import type { RecordedType } from './suite-types.ts';

/**
 * A question about pods with ResourceClaims as it was recorded. Unlike those of the suites it holds its instance types,
 * by NodePool.
 */
export interface DeviceQuestion extends Pick<SuiteQuestion, 'id' | 'nodePools' | 'nodes' | 'pods' | 'pending' | 'answer'> {
  readonly types: Readonly<Record<string, readonly RecordedType[]>>;
  readonly resourceSlices: readonly ResourceSlice[];
  readonly resourceClaims: readonly ResourceClaim[];
  readonly deviceClasses: readonly DeviceClass[];
}

const nothing = {
  daemonPods: [],
  persistentVolumeClaims: [],
  persistentVolumes: [],
  storageClasses: [],
  csiNodes: [],
  preferences: 'Respect',
  minValues: 'Strict',
} as const;

/** The recorder lists pods that move as pending, and leaves out the nodes that they leave. */
const leavingNodes = ({ nodes, pods, pending }: DeviceQuestion): readonly NodeView[] => {
  const recorded = new Set(nodes.map(({ node }) => node.metadata.name));
  const moving = new Set(pending.map(qualifiedPodName));
  const names = new Set(pods.filter((pod) => moving.has(qualifiedPodName(pod))).flatMap(({ spec }) => spec.nodeName ?? []));
  return [...names]
    .filter((name) => !recorded.has(name))
    .map((name) => ({
      name,
      labels: {},
      annotations: {},
      taints: [],
      capacity: {},
      allocatable: {},
      pods: pods.filter((pod) => moving.has(qualifiedPodName(pod)) && pod.spec.nodeName === name),
      hasNode: true,
      isRegistered: true,
      isInitialized: true,
      isReady: true,
      isMarkedForDeletion: true,
    }));
};

/** The question that a recorded one about devices asks. */
export const deviceQuestion = (question: DeviceQuestion): OriginalQuestion => {
  const { types, resourceSlices, resourceClaims, deviceClasses } = question;
  const poolNames = Object.keys(types);
  const typesOf = Object.fromEntries(poolNames.map((name) => [name, name]));
  const namespaces = [{ metadata: { name: 'default' } }];
  const plain = suiteQuestion({ ...nothing, ...question, typesOf, namespaces }, (pool) => (types[pool] ?? []).map(recordedTypeOf));
  const leaving = leavingNodes(question);
  const moving = new Set(leaving.flatMap(({ pods }) => pods.map(qualifiedPodName)));
  const devices = deviceViewOf({ deviceClasses, resourceClaims, resourceSlices, resourceClaimTemplates: [] });
  const { snapshot } = plain;
  const pendingPods = snapshot.pendingPods.filter((pod) => !moving.has(qualifiedPodName(pod)));
  return { ...plain, snapshot: { ...snapshot, nodes: [...snapshot.nodes, ...leaving], pendingPods, devices } };
};
