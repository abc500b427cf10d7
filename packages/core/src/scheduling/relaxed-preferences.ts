import { onOneLine } from '../base/index.ts';
import type { Steps } from '../base/index.ts';
import type { Pod } from '../kube/index.ts';
import type { PodSet } from './pod-classes/pod-class.ts';
import type { PodPreference } from './pod-classes/pod-preferences.ts';
import type { RelaxedCount, RelaxedTally } from './solve/relaxed-tally.ts';

/** A preference that some pods of a group are placed without. */
export interface RelaxedPreference {
  readonly kind: 'node-affinity' | 'pod-affinity' | 'pod-anti-affinity' | 'spread';
  /** 1 to 100; a spread counts as 100. */
  readonly weight: number;
  /** Its position in its list of the pod's spec. */
  readonly index: number;
  /** The label whose values are the places to meet or to miss other pods in; absent for node affinity. */
  readonly topologyKey?: string;
  readonly podCount: number;
  /**
   * What it would have cost each of the pods for which it was too dear, in dollars an hour on average; absent where no
   * place met it.
   */
  readonly costPerHour?: number;
}

/** Equal pods, and the preferences that some of them are placed without. */
export interface RelaxedPods {
  /** The oldest of the group. */
  readonly pod: Pod;
  /** All of the group, those of CapacityBuffers too. */
  readonly pods: readonly Pod[];
  /** The heaviest first. */
  readonly relaxed: readonly RelaxedPreference[];
  /** How many of their lightest preferences were not checked, because a pod has at most 16. */
  readonly cutCount: number;
}

const relaxedPreference = (preference: PodPreference, count: RelaxedCount): RelaxedPreference => {
  const { kind, weight, index } = preference;
  const topologyKey =
    kind === 'spread' ? preference.constraint.topologyKey : kind === 'node-affinity' ? undefined : preference.term.topologyKey;
  const cost = count.pricedCount === 0 ? {} : { costPerHour: count.costPerHour / count.pricedCount };
  return { kind, weight, index, podCount: count.podCount, ...(topologyKey === undefined ? {} : { topologyKey }), ...cost };
};

/** The groups of pods that are placed without some of their preferences, in the order in which they were planned. */
export function* relaxingPods(podSets: readonly PodSet[], tally: RelaxedTally): Steps<readonly RelaxedPods[]> {
  const found: RelaxedPods[] = [];
  for (const { podClass, pods } of podSets) {
    const [pod] = pods;
    const { preferences, shape } = podClass;
    const cutCount = preferences.length === 0 ? 0 : shape.preferences.cutCount;
    const counts = tally.of(podClass);
    if (pod === undefined || (counts === undefined && cutCount === 0)) continue;
    const relaxed = preferences.flatMap((preference, index) => {
      const count = counts?.[index];
      return count === undefined || count.podCount === 0 ? [] : [relaxedPreference(preference, count)];
    });
    found.push({ pod, pods, relaxed, cutCount });
    yield;
  }
  return found;
}

const NAMES: Readonly<Record<RelaxedPreference['kind'], string>> = {
  'node-affinity': 'node affinity',
  'pod-affinity': 'pod affinity',
  'pod-anti-affinity': 'pod anti-affinity',
  spread: 'spread',
};

const preferenceText = ({ kind, weight, index, topologyKey, podCount, costPerHour }: RelaxedPreference, of: number): string => {
  const where = topologyKey === undefined ? '' : ` over ${topologyKey}`;
  const pods = of === 1 ? '' : ` for ${podCount} of ${of} pods like this`;
  const reason = costPerHour === undefined ? 'no node meets it' : `it would cost $${costPerHour.toFixed(3)} an hour each`;
  return `${NAMES[kind]}${where} (number ${index + 1}, weight ${weight})${pods}: ${reason}`;
};

/** Each preference that pods are placed without, and why. */
export const relaxedTexts = ({ relaxed, pods, cutCount }: RelaxedPods): readonly string[] => {
  const cut = cutCount === 0 ? [] : [`the ${cutCount} lightest are not checked, since a pod has at most 16`];
  return [...relaxed.map((each) => onOneLine(preferenceText(each, pods.length))), ...cut];
};

/** Which preferences pods are placed without and why, as a sentence. */
export const explainRelaxed = (group: RelaxedPods): string => `Preferences relaxed: ${relaxedTexts(group).join('; ')}`;
