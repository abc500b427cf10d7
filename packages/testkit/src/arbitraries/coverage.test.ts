import type { ClusterSnapshot, Pod } from '@karpenter/core';
import type { NodeSelectorTerm } from '@karpenter/core/internal';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { aHandful } from './handfuls.ts';
import { aSnapshotOf } from './snapshots.ts';

const SAMPLES = 1500;

const requiredTerms = ({ spec: { affinity } }: Pod): readonly NodeSelectorTerm[] =>
  affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];

const preferredTerms = ({ spec: { affinity } }: Pod): readonly NodeSelectorTerm[] =>
  (affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ preference }) => preference);

const expressionShapes = (pod: Pod): readonly string[] => [
  ...requiredTerms(pod).flatMap(({ matchExpressions = [], matchFields = [] }) => [
    ...matchExpressions.map(({ operator }) => `required ${operator}`),
    ...matchFields.map(({ operator }) => `required ${operator} of fields`),
  ]),
  ...preferredTerms(pod).flatMap(({ matchFields = [] }) => matchFields.map(() => 'preferred fields')),
];

const affinityShapes = ({ spec: { affinity = {} } }: Pod): readonly string[] => [
  ...(affinity.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).map(() => 'pod affinity'),
  ...(affinity.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).map(() => 'pod anti-affinity'),
  ...(affinity.podAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(() => 'preferred pod affinity'),
  ...(affinity.podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(() => 'preferred pod anti-affinity'),
];

const spreadShapes = ({ spec: { topologySpreadConstraints = [] } }: Pod): readonly string[] => [
  ...topologySpreadConstraints.flatMap(({ whenUnsatisfiable, minDomains, nodeAffinityPolicy, nodeTaintsPolicy, matchLabelKeys }) => [
    `spread ${whenUnsatisfiable}`,
    ...(minDomains === undefined ? [] : ['minDomains']),
    ...(nodeAffinityPolicy === undefined ? [] : [`nodeAffinityPolicy ${nodeAffinityPolicy}`]),
    ...(nodeTaintsPolicy === undefined ? [] : [`nodeTaintsPolicy ${nodeTaintsPolicy}`]),
    ...(matchLabelKeys === undefined ? [] : ['matchLabelKeys']),
  ]),
];

const hasSpread = ({ spec: { topologySpreadConstraints = [] } }: Pod): boolean => topologySpreadConstraints.length > 0;
const excludes = (pod: Pod): boolean =>
  requiredTerms(pod).some(({ matchExpressions = [] }) => matchExpressions.some(({ operator }) => operator !== 'In'));

/** What several fields of a pod make together. */
const combinations: readonly (readonly [string, (pod: Pod, among: readonly string[]) => boolean])[] = [
  ['ORed terms', (pod) => requiredTerms(pod).length > 1],
  ['spread beside an affinity that excludes', (pod) => hasSpread(pod) && excludes(pod)],
  ['pod affinity and spread', (pod, among) => hasSpread(pod) && among.includes('pod affinity')],
  ['pod affinity and anti-affinity', (_, among) => among.includes('pod affinity') && among.includes('pod anti-affinity')],
  ['node selector', ({ spec }) => spec.nodeSelector !== undefined],
];

/** What one pod has of all that the API allows. */
const shapesOf = (pod: Pod): readonly string[] => {
  const among = [...affinityShapes(pod), ...spreadShapes(pod)];
  return [
    ...expressionShapes(pod),
    ...among,
    ...(pod.spec.tolerations ?? []).map(({ operator = 'Equal' }) => `toleration ${operator}`),
    ...combinations.flatMap(([shape, isMade]) => (isMade(pod, among) ? [shape] : [])),
  ];
};

const clusterShapes = ({ nodes, daemonSets, nodePools }: ClusterSnapshot): readonly string[] => [
  ...nodes.flatMap(({ pods, taints }) => [
    'node',
    ...(taints.length > 0 ? ['tainted node'] : []),
    ...(pods.length > 0 ? ['bound pod'] : []),
  ]),
  ...daemonSets.map(() => 'DaemonSet'),
  ...nodePools.flatMap(({ nodePool: { spec } }) => (spec.template.spec.taints ?? []).map(({ effect }) => `pool with ${effect}`)),
  ...nodePools.flatMap(({ nodePool: { spec } }) => spec.template.spec.requirements.map(({ operator }) => `pool by ${operator}`)),
];

const operators = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'].map((operator) => `required ${operator}`);
const ofBoth = [
  ...operators,
  ...['required In of fields', 'required NotIn of fields', 'pool by Gte', 'pool by Lte'],
  ...['ORed terms', 'node selector', 'toleration Equal', 'toleration Exists'],
  ...['pod affinity', 'pod anti-affinity', 'preferred pod affinity', 'preferred pod anti-affinity'],
  ...[
    'spread DoNotSchedule',
    'spread ScheduleAnyway',
    'minDomains',
    'matchLabelKeys',
    'nodeAffinityPolicy Ignore',
    'nodeTaintsPolicy Honor',
  ],
  ...['spread beside an affinity that excludes', 'pod affinity and spread', 'pod affinity and anti-affinity'],
  ...['node', 'tainted node', 'bound pod', 'DaemonSet', 'pool with NoSchedule'],
];

test.each<[string, fc.Arbitrary<ClusterSnapshot>, readonly string[]]>([
  [
    'that plans are validated and bound with',
    aSnapshotOf({ pods: 6, types: 2 }),
    [...ofBoth, 'preferred fields', 'pool with PreferNoSchedule'],
  ],
  ['that are tried by brute force', aHandful, ofBoth],
])('the clusters %s have pods of every shape', (_, clusters, wanted) => {
  const shapes = new Set(fc.sample(clusters, SAMPLES).flatMap((each) => [...each.pendingPods.flatMap(shapesOf), ...clusterShapes(each)]));
  expect(wanted.filter((shape) => !shapes.has(shape))).toEqual([]);
});
