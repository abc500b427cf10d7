import type { ReconcileContext } from '@karpenter/runtime';
import type { InstanceType } from '../../catalog/index.ts';
import { launchingPools } from '../../cluster/index.ts';
import type { ClusterSnapshot } from '../../cluster/index.ts';
import type { Pod } from '../../kube/index.ts';
import { labels } from '../../apis/index.ts';
import type { SchedulingPolicy } from '../../scheduling/index.ts';
import { decideInSlices } from '../shell.ts';
import type { Decisions, Shell } from '../shell.ts';

/** Enough for the engine to optimise the code that every plan runs. */
const PODS = 64;
/** Few pods are planned another way, in many variants: so many plans, of so many pods, for the code of these. */
const SMALL_PLANS = 5;
const PODS_OF_SMALL_PLAN = 5;
/** One of each sort: enough to compile a catalog once the code is optimised. */
const PODS_AGAIN = 6;

const NAMESPACE = 'karpenter-rehearsal';

/** Planners that were rehearsed in full: an engine optimises code for the whole process, whoever plans with it later. */
const optimised = new WeakSet<Decisions['planning']>();

type Constraints = Pick<Pod['spec'], 'affinity' | 'topologySpreadConstraints'>;

/** Each sort of constraints that pods of charts have, and none. */
const constraintsOf = (index: number): Constraints => {
  const labelSelector = { matchLabels: { app: `app-${index % 8}` } };
  const onHost = { topologyKey: labels.hostname, labelSelector };
  switch (index % 8) {
    case 0:
      return { topologySpreadConstraints: [{ maxSkew: 1, topologyKey: labels.zone, whenUnsatisfiable: 'DoNotSchedule', labelSelector }] };
    case 1:
      return {
        affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, podAffinityTerm: onHost }] } },
      };
    case 2:
      return { topologySpreadConstraints: [{ maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule', ...onHost }] };
    case 3:
      return { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [onHost] } } };
    case 4:
      return {
        affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: labels.zone, labelSelector }] } },
      };
    default:
      return {};
  }
};

/** A pod that exists nowhere, of a size and constraints as charts have them. */
const rehearsalPod = (index: number): Pod => ({
  metadata: { namespace: NAMESPACE, name: `pod-${index}`, uid: `${NAMESPACE}-${index}`, labels: { app: `app-${index % 8}` } },
  spec: {
    containers: [
      { name: 'main', resources: { requests: { cpu: `${100 * (1 + (index % 17))}m`, memory: `${256 * (1 + (index % 9))}Mi` } } },
    ],
    ...constraintsOf(index),
  },
});

const rehearsalPods = (from: number, count: number): readonly Pod[] =>
  Array.from({ length: count }, (_, index) => rehearsalPod(from + index));

/** The pods of each plan of a rehearsal in full. */
export const rehearsedPods: readonly (readonly Pod[])[] = [
  rehearsalPods(0, PODS),
  ...Array.from({ length: SMALL_PLANS }, (_, plan) => rehearsalPods(PODS + plan * PODS_OF_SMALL_PLAN, PODS_OF_SMALL_PLAN)),
];

/**
 * Plans for made-up pods and drops the plans, once for each set of catalogs, while no pod waits. The next plan then
 * finds the catalogs compiled and its code optimised; `docs/benchmarks.md` has what the first plan of 5 pods takes. A
 * process rehearses once in full, later with a few pods.
 */
export class Rehearsal {
  readonly #shell: Shell;
  readonly #decisions: Decisions;
  readonly #policy: SchedulingPolicy;
  #rehearsed: readonly (readonly InstanceType[])[] = [];

  constructor(shell: Shell, decisions: Decisions, policy: SchedulingPolicy) {
    this.#shell = shell;
    this.#decisions = decisions;
    this.#policy = policy;
  }

  /**
   * Runs in isolation, as plans do, and without what runs in the cluster: nothing of it is to be planned. Returns at
   * once if the catalogs of all pools that may launch are those of the last rehearsal. Changes nothing in the cluster.
   */
  async run(snapshot: ClusterSnapshot, context: ReconcileContext & { readonly shouldStop: () => boolean }): Promise<void> {
    const catalogs = launchingPools(snapshot).map(({ instanceTypes }) => instanceTypes);
    if (catalogs.every((catalog) => this.#rehearsed.includes(catalog))) return;
    const { planning } = this.#decisions;
    const plans = optimised.has(planning) ? [rehearsalPods(0, PODS_AGAIN)] : rehearsedPods;
    optimised.add(planning);
    this.#rehearsed = catalogs;
    const plan = (given: ClusterSnapshot) => decideInSlices(this.#shell, planning(given, this.#policy, context.shouldStop), context.signal);
    const { buffers: _, ...rest } = snapshot;
    for (const pendingPods of plans)
      await this.#shell.isolation.decide({ ...rest, nodes: [], podDisruptionBudgets: [], pendingPods }, plan, context);
  }
}
