import { matchesTerm } from '../../selectors/node-selector.ts';
import { isTolerated } from '../../selectors/toleration.ts';
import type { SpreadView } from '../filters/topology-spread.ts';
import { domainCounts } from '../filters/topology-spread.ts';
import type { NodeSlot } from '../node-slot.ts';
import type { BinderPodClass } from '../pods/pod-class.ts';
import type { NodeScorer } from './best-node.ts';

const nodeAffinityScorer = (pod: BinderPodClass): NodeScorer | undefined => {
  const preferred = pod.spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  if (preferred.length === 0) return undefined;
  const score = (slot: NodeSlot): number =>
    preferred.reduce((sum, { weight, preference }) => sum + (matchesTerm(preference, slot) ? weight : 0), 0);
  return { weight: 2, score };
};

const taintScorer = (pod: BinderPodClass, slots: readonly NodeSlot[]): NodeScorer | undefined => {
  const untolerated = (slot: NodeSlot): number =>
    slot.taints.filter((taint) => taint.effect === 'PreferNoSchedule' && !isTolerated(taint, pod.spec.tolerations)).length;
  return slots.some((slot) => untolerated(slot) > 0) ? { weight: 3, score: (slot) => -untolerated(slot) } : undefined;
};

const spreadScorers = (pod: BinderPodClass, view: SpreadView): readonly NodeScorer[] =>
  pod.spread
    .filter((constraint) => !constraint.isHard)
    .map((constraint) => {
      const counts = domainCounts(pod, constraint, view);
      return { weight: 2, score: (slot) => -(counts.get(slot.labels[constraint.topologyKey] ?? '') ?? 0) };
    });

/** Sums the weights of the pod's preferences about others and of theirs about it, domain by domain. */
const podAffinityScorer = (pod: BinderPodClass, { picture }: SpreadView): NodeScorer | undefined => {
  const sums = new Map<string, number>();
  const keys = new Set<string>();
  for (const [other, byNode] of pod.preferredAffinity.length > 0 ? picture.placements : picture.opinionated) {
    const mine = pod.preferredAffinity.filter((term) => term.matches(other));
    const theirs = other.preferredAffinity.filter((term) => term.matches(pod));
    for (const { topologyKey, weight } of [...mine, ...theirs]) {
      keys.add(topologyKey);
      for (const [nodeName, count] of byNode) {
        const domain = `${topologyKey}=${picture.slot(nodeName)?.labels[topologyKey] ?? ''}`;
        sums.set(domain, (sums.get(domain) ?? 0) + weight * count);
      }
    }
  }
  if (keys.size === 0) return undefined;
  const score = (slot: NodeSlot): number => [...keys].reduce((sum, key) => sum + (sums.get(`${key}=${slot.labels[key] ?? ''}`) ?? 0), 0);
  return { weight: 2, score };
};

/** The scorers that rank the nodes for this pod; none for a pod without preferences. */
export const preferencesOf = (pod: BinderPodClass, slots: readonly NodeSlot[], view: SpreadView): readonly NodeScorer[] =>
  [nodeAffinityScorer(pod), taintScorer(pod, slots), podAffinityScorer(pod, view), ...spreadScorers(pod, view)].filter(
    (scorer) => scorer !== undefined,
  );
