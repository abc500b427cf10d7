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
/** One of each sort: enough to compile a catalog once the code is optimised. */
const PODS_AGAIN = 4;

const NAMESPACE = 'karpenter-rehearsal';

/** Planners that were rehearsed in full: an engine optimises code for the whole process, whoever plans with it later. */
const optimised = new WeakSet<Decisions['planning']>();

/** Of four pods, one is spread over zones, one prefers a host of its own, and two are plain. */
const constraintsOf = (index: number): Pick<Pod['spec'], 'affinity' | 'topologySpreadConstraints'> => {
  const labelSelector = { matchLabels: { app: `app-${index % 4}` } };
  switch (index % 4) {
    case 0:
      return { topologySpreadConstraints: [{ maxSkew: 1, topologyKey: labels.zone, whenUnsatisfiable: 'DoNotSchedule', labelSelector }] };
    case 1: {
      const podAffinityTerm = { topologyKey: labels.hostname, labelSelector };
      return { affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, podAffinityTerm }] } } };
    }
    default:
      return {};
  }
};

/** Pods that exist nowhere, of sizes and constraints as charts have them. */
const rehearsalPods: readonly Pod[] = Array.from({ length: PODS }, (_, index) => ({
  metadata: { namespace: NAMESPACE, name: `pod-${index}`, uid: `${NAMESPACE}-${index}`, labels: { app: `app-${index % 4}` } },
  spec: {
    containers: [
      { name: 'main', resources: { requests: { cpu: `${100 * (1 + (index % 16))}m`, memory: `${256 * (1 + (index % 9))}Mi` } } },
    ],
    ...constraintsOf(index),
  },
}));

/**
 * Plans for made-up pods and drops the plan, once for each set of catalogs, while no pod waits. The next plan then
 * finds the catalogs compiled and its code optimised; `docs/benchmarks.md` has what the first plan of 5 pods takes.
 * Many pods are planned once in a process, later a few.
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
   * Runs in isolation, as plans do, and without what runs in the cluster: nothing of it is to be planned. Returns at once if the catalogs of all pools that may launch are those of the last
   * rehearsal. Changes nothing in the cluster.
   */
  async run(snapshot: ClusterSnapshot, context: ReconcileContext & { readonly shouldStop: () => boolean }): Promise<void> {
    const catalogs = launchingPools(snapshot).map(({ instanceTypes }) => instanceTypes);
    if (catalogs.every((catalog) => this.#rehearsed.includes(catalog))) return;
    const { planning } = this.#decisions;
    const pendingPods = optimised.has(planning) ? rehearsalPods.slice(0, PODS_AGAIN) : rehearsalPods;
    optimised.add(planning);
    this.#rehearsed = catalogs;
    const plan = (given: ClusterSnapshot) => decideInSlices(this.#shell, planning(given, this.#policy, context.shouldStop), context.signal);
    const { buffers: _, ...rest } = snapshot;
    await this.#shell.isolation.decide({ ...rest, nodes: [], podDisruptionBudgets: [], pendingPods }, plan, context);
  }
}
