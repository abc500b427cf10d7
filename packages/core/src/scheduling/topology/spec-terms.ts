import type { LabelSelector, PodAffinityTerm, PodSpec } from '../../kube/index.ts';

const labelKeysOf = (selector: LabelSelector | undefined): readonly string[] => [
  ...Object.keys(selector?.matchLabels ?? {}),
  ...(selector?.matchExpressions ?? []).map(({ key }) => key),
];

/** Whether the spec has constraints relative to other pods. Runs for every pod of the cluster, so it only reads fields. */
export const hasPodConstraints = ({ affinity, topologySpreadConstraints }: PodSpec): boolean =>
  affinity?.podAffinity !== undefined || affinity?.podAntiAffinity !== undefined || (topologySpreadConstraints?.length ?? 0) > 0;

/** The terms of pod affinity and anti-affinity of a spec, required and preferred. */
const termsOf = ({ affinity }: PodSpec): readonly PodAffinityTerm[] =>
  [affinity?.podAffinity, affinity?.podAntiAffinity].flatMap((side) => [
    ...(side?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(side?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ podAffinityTerm }) => podAffinityTerm),
  ]);

/** The pod labels that the spec's selectors read: of all labels, only these make pods different. */
export const labelKeysReadBy = (spec: PodSpec): readonly string[] => [
  ...termsOf(spec).flatMap(({ labelSelector, matchLabelKeys = [], mismatchLabelKeys = [] }) => [
    ...labelKeysOf(labelSelector),
    ...matchLabelKeys,
    ...mismatchLabelKeys,
  ]),
  ...(spec.topologySpreadConstraints ?? []).flatMap(({ labelSelector, matchLabelKeys = [] }) => [
    ...labelKeysOf(labelSelector),
    ...matchLabelKeys,
  ]),
];

/** The topology keys of the spec's affinity terms and spreads. */
export const topologyKeysReadBy = (spec: PodSpec): readonly string[] =>
  [...termsOf(spec), ...(spec.topologySpreadConstraints ?? [])].map(({ topologyKey }) => topologyKey);
