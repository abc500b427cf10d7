import type { LabelSelector, PodAffinityTerm, PodSpec, TopologySpreadConstraint } from '../../kube/index.ts';
import { podPreferences } from '../classes/pod-preferences.ts';

const labelKeysOf = (selector: LabelSelector | undefined): readonly string[] => [
  ...Object.keys(selector?.matchLabels ?? {}),
  ...(selector?.matchExpressions ?? []).map(({ key }) => key),
];

/** Whether the spec has constraints relative to other pods. Runs for every pod of the cluster, so it only reads fields. */
export const hasPodConstraints = ({ affinity, topologySpreadConstraints }: PodSpec): boolean =>
  affinity?.podAffinity !== undefined || affinity?.podAntiAffinity !== undefined || (topologySpreadConstraints?.length ?? 0) > 0;

/** The affinity terms and spreads of a spec that count: all that are required, and the preferences kept. */
interface CountingTerms {
  readonly terms: readonly PodAffinityTerm[];
  readonly spreads: readonly TopologySpreadConstraint[];
}

const countingTerms = (spec: PodSpec): CountingTerms => {
  const { affinity, topologySpreadConstraints = [] } = spec;
  const { kept } = podPreferences(spec);
  const required = [affinity?.podAffinity, affinity?.podAntiAffinity].flatMap(
    (side) => side?.requiredDuringSchedulingIgnoredDuringExecution ?? [],
  );
  const hard = topologySpreadConstraints.filter(({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule');
  return {
    terms: [...required, ...kept.flatMap((each) => (each.kind === 'pod-affinity' || each.kind === 'pod-anti-affinity' ? [each.term] : []))],
    spreads: [...hard, ...kept.flatMap((each) => (each.kind === 'spread' ? [each.constraint] : []))],
  };
};

/** The pod labels that the spec's selectors read: of all labels, only these make pods different. */
export const labelKeysReadBy = (spec: PodSpec): readonly string[] => {
  const { terms, spreads } = countingTerms(spec);
  return [
    ...terms.flatMap(({ labelSelector, matchLabelKeys = [], mismatchLabelKeys = [] }) => [
      ...labelKeysOf(labelSelector),
      ...matchLabelKeys,
      ...mismatchLabelKeys,
    ]),
    ...spreads.flatMap(({ labelSelector, matchLabelKeys = [] }) => [...labelKeysOf(labelSelector), ...matchLabelKeys]),
  ];
};

/** The topology keys of the spec's affinity terms and spreads. */
export const topologyKeysReadBy = (spec: PodSpec): readonly string[] => {
  const { terms, spreads } = countingTerms(spec);
  return [...terms, ...spreads].map(({ topologyKey }) => topologyKey);
};
