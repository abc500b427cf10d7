import type { Deployment } from '../objects/workload.ts';

/** A count given as a number or as a percentage of `total`, rounded as the field that holds it wants. */
export const shareOf = (share: number | string, total: number, rounding: 'up' | 'down'): number => {
  if (typeof share === 'number') return share;
  const exact = (Number(share.replace('%', '')) * total) / 100;
  return rounding === 'up' ? Math.ceil(exact) : Math.floor(exact);
};

/** A ReplicaSet, as a rollout sees it. */
export interface RolloutSet {
  readonly name: string;
  readonly wanted: number;
  readonly available: number;
}

/** Name → replicas that it shall have from now on; those that stay as they are are left out. */
export type ScaleSteps = ReadonlyMap<string, number>;

interface Limits {
  readonly desired: number;
  readonly most: number;
  readonly leastAvailable: number;
}

const limitsOf = ({ spec }: Deployment): Limits => {
  const desired = spec.replicas ?? 1;
  const { maxSurge = '25%', maxUnavailable = '25%' } = spec.strategy?.rollingUpdate ?? {};
  const surge = shareOf(maxSurge, desired, 'up');
  const unavailable = shareOf(maxUnavailable, desired, 'down');
  return { desired, most: desired + surge, leastAvailable: desired - (surge === 0 && unavailable === 0 ? 1 : unavailable) };
};

const sum = (sets: readonly RolloutSet[], of: (set: RolloutSet) => number): number => sets.reduce((total, set) => total + of(set), 0);

/** Takes from old ones, unavailable pods first, as long as enough stay available. */
const scaleDown = (latest: RolloutSet, old: readonly RolloutSet[], { leastAvailable }: Limits): ScaleSteps => {
  const steps = new Map<string, number>();
  const notReady = latest.wanted - latest.available;
  let spare = sum([latest, ...old], ({ wanted }) => wanted) - leastAvailable - notReady;
  for (const { name, wanted, available } of old) {
    const broken = Math.min(wanted - available, Math.max(spare, 0));
    spare -= broken;
    if (broken > 0) steps.set(name, wanted - broken);
  }
  let healthy = sum([latest, ...old], ({ available }) => available) - leastAvailable;
  for (const { name, wanted } of old) {
    const left = steps.get(name) ?? wanted;
    const taken = Math.min(left, Math.max(healthy, 0), Math.max(spare, 0));
    healthy -= taken;
    spare -= taken;
    if (taken > 0) steps.set(name, left - taken);
  }
  return steps;
};

/**
 * The next step of a deployment from its old ReplicaSets to the latest one: up within `maxSurge` first, then down
 * within `maxUnavailable`. `Recreate` waits until the old ones are gone.
 */
export const rolloutStep = (deployment: Deployment, latest: RolloutSet, old: readonly RolloutSet[]): ScaleSteps => {
  const limits = limitsOf(deployment);
  const running = old.filter(({ wanted }) => wanted > 0);
  if (running.length === 0) return latest.wanted === limits.desired ? new Map() : new Map([[latest.name, limits.desired]]);
  if (deployment.spec.strategy?.type === 'Recreate') return new Map(running.map(({ name }) => [name, 0]));
  if (latest.wanted > limits.desired) return new Map([[latest.name, limits.desired]]);
  const total = sum([latest, ...running], ({ wanted }) => wanted);
  const more = Math.min(limits.most - total, limits.desired - latest.wanted);
  if (more > 0) return new Map([[latest.name, latest.wanted + more]]);
  return scaleDown(latest, running, limits);
};
