import type { ClusterSnapshot, Plan, Pod } from '@karpenter/core';
import type { PodAffinityTerm, TopologySpreadConstraint } from '@karpenter/core/internal';
import { namespacedNameOf } from '@karpenter/core/internal';
import { meetsExpression } from './node-labels.ts';
import { scopeOfSpread, scopeOfTerm } from './pod-scope.ts';
import type { PodScope } from './pod-scope.ts';
import { existingSpots, plannedSpots, valuesOn } from './spot.ts';
import type { Spot } from './spot.ts';
import { bearsTaints } from './taints.ts';

/** A pod and where it is in the end. */
interface Seat {
  readonly pod: Pod;
  readonly spot: Spot;
}

/** What has no weight of its own counts as kube-scheduler counts it: fully. */
const FULL_WEIGHT = 100;

/** Labels of nodes that the preferences of the pods read. */
const keysRead = (pods: readonly Pod[]): ReadonlySet<string> =>
  new Set(
    pods.flatMap(({ spec: { affinity, topologySpreadConstraints = [] } }) => [
      ...topologySpreadConstraints.map(({ topologyKey }) => topologyKey),
      ...[affinity?.podAffinity, affinity?.podAntiAffinity].flatMap((side) =>
        (side?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ podAffinityTerm }) => podAffinityTerm.topologyKey),
      ),
      ...(affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).flatMap(({ preference }) =>
        (preference.matchExpressions ?? []).map(({ key }) => key),
      ),
    ]),
  );

const nameOf = ({ metadata }: Pod): string => namespacedNameOf(metadata);

/** The pods of the cluster as the plan leaves it, and the nodes. */
const seatsOf = (snapshot: ClusterSnapshot, plan: Plan): { readonly seats: readonly Seat[]; readonly spots: readonly Spot[] } => {
  const existing = existingSpots(snapshot, new Set());
  const planned = plannedSpots(plan, snapshot, keysRead(snapshot.pendingPods));
  const moving = new Set(snapshot.pendingPods.map(nameOf));
  const staying = existing.flatMap((spot, index) =>
    (snapshot.nodes[index]?.pods ?? []).filter((pod) => !moving.has(nameOf(pod))).map((pod) => ({ pod, spot })),
  );
  const onNodes = existing.flatMap((spot) => (plan.placements.get(spot.name) ?? []).map((pod) => ({ pod, spot })));
  const onPlanned = planned.flatMap((spot, index) => (plan.plannedNodes[index]?.pods ?? []).map((pod) => ({ pod, spot })));
  return { seats: [...staying, ...onNodes, ...onPlanned], spots: [...existing, ...planned] };
};

/** The one value of the label that the node will have; undefined when it has none or may have several. */
const valueOf = (spot: Spot, key: string): string | undefined => {
  const [value, ...others] = valuesOn(spot, key);
  return others.length > 0 ? undefined : value;
};

/** The pods that a cluster has to place. */
class PlacedPreferences {
  readonly #seats: readonly Seat[];
  readonly #spots: readonly Spot[];
  readonly #namespaces: ClusterSnapshot['namespaceLabels'];

  constructor(snapshot: ClusterSnapshot, plan: Plan) {
    const { seats, spots } = seatsOf(snapshot, plan);
    this.#seats = seats;
    this.#spots = spots;
    this.#namespaces = snapshot.namespaceLabels;
  }

  unmetOf(pods: ReadonlySet<string>): number {
    return this.#seats.filter(({ pod }) => pods.has(nameOf(pod))).reduce((sum, seat) => sum + this.#unmetBy(seat), 0);
  }

  #unmetBy(seat: Seat): number {
    const { nodeAffinity, podAffinity, podAntiAffinity } = seat.pod.spec.affinity ?? {};
    const weights = [
      ...(nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ weight, preference }) => {
        const isMet = seat.spot.labelSets.every((labels) =>
          (preference.matchExpressions ?? []).every((expression) => meetsExpression(expression, labels)),
        );
        return isMet ? 0 : weight;
      }),
      ...(podAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ weight, podAffinityTerm }) =>
        this.#matchesBeside(seat, podAffinityTerm) > 0 ? 0 : weight,
      ),
      ...(podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ weight, podAffinityTerm }) =>
        this.#matchesBeside(seat, podAffinityTerm) === 0 ? 0 : weight,
      ),
      ...(seat.pod.spec.topologySpreadConstraints ?? [])
        .filter(({ whenUnsatisfiable }) => whenUnsatisfiable === 'ScheduleAnyway')
        .map((constraint) => (this.#skewOf(seat, constraint) <= constraint.maxSkew ? 0 : FULL_WEIGHT)),
      this.#isUntainted(seat) ? 0 : FULL_WEIGHT,
    ];
    return weights.reduce((sum, weight) => sum + weight, 0);
  }

  /** How many other pods that the term selects are in the same domain. */
  #matchesBeside({ pod, spot }: Seat, term: PodAffinityTerm): number {
    const scope = scopeOfTerm(term, pod, this.#namespaces);
    const domain = valueOf(spot, term.topologyKey);
    if (domain === undefined) return 0;
    return this.#countIn(scope, term.topologyKey, domain) - (scope.has(pod) ? 1 : 0);
  }

  #skewOf({ pod, spot }: Seat, constraint: TopologySpreadConstraint): number {
    const { topologyKey: key } = constraint;
    const scope = scopeOfSpread(constraint, pod);
    const domain = valueOf(spot, key);
    if (domain === undefined) return Number.POSITIVE_INFINITY;
    const domains = new Set(this.#spots.map((each) => valueOf(each, key)).filter((value) => value !== undefined));
    const counts = [...domains].map((each) => this.#countIn(scope, key, each));
    return this.#countIn(scope, key, domain) - Math.min(...counts);
  }

  #countIn(scope: PodScope, key: string, domain: string): number {
    return this.#seats.filter(({ pod, spot }) => scope.has(pod) && valueOf(spot, key) === domain).length;
  }

  #isUntainted({ pod, spot }: Seat): boolean {
    const soft = spot.taints
      .filter(({ effect }) => effect === 'PreferNoSchedule')
      .map((taint) => ({ ...taint, effect: 'NoSchedule' as const }));
    const tolerations = (pod.spec.tolerations ?? []).map(({ effect, ...rest }) =>
      effect === 'PreferNoSchedule' ? { ...rest, effect: 'NoSchedule' as const } : { ...rest, ...(effect === undefined ? {} : { effect }) },
    );
    return bearsTaints(soft, tolerations);
  }
}

/**
 * The weights of the preferences that the planned pods do not get, added up over the cluster as the plan leaves it. A
 * `ScheduleAnyway` spread and an untainted node weigh 100.
 */
export const unmetPreferences = (snapshot: ClusterSnapshot, plan: Plan): number =>
  new PlacedPreferences(snapshot, plan).unmetOf(new Set(snapshot.pendingPods.map(nameOf)));
