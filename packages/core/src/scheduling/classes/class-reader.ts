import type { ClusterSnapshot } from '../../cluster/index.ts';
import type { Pod } from '../../kube/index.ts';
import type { SchedulingPolicy } from '../policy.ts';
import { podClass } from './pod-class.ts';
import type { PodClass } from './pod-class.ts';
import { shapeReader } from './pod-shape.ts';
import type { PodShape } from './pod-shape.ts';
import type { ResourceTable } from './resource-table.ts';
import type { Rung, RungStep } from './rung.ts';

const isSoftlyTainted = ({ nodePools, nodes }: ClusterSnapshot): boolean =>
  nodePools.some(({ nodePool }) => nodePool.spec.template.spec.taints?.some(({ effect }) => effect === 'PreferNoSchedule')) ||
  nodes.some(({ taints }) => taints.some(({ effect }) => effect === 'PreferNoSchedule'));

/** The steps that can make a difference: preferences only where the policy respects them, soft taints only where there are some. */
const stepsOf = (snapshot: ClusterSnapshot, policy: SchedulingPolicy): ReadonlySet<RungStep> => {
  const steps = new Set<RungStep>(['required']);
  if (policy.preferences === 'Respect') steps.add('preference');
  if (isSoftlyTainted(snapshot)) steps.add('soft-taints');
  return steps;
};

const rungInterner = (): ((rung: Rung) => Rung) => {
  const known = new Map<string, Rung>();
  return (rung) => {
    const found = known.get(rung.text);
    if (found !== undefined) return found;
    known.set(rung.text, rung);
    return rung;
  };
};

/** Pod → its class, in the numbers of one solve. Each distinct pod is compiled once. */
export const classReader = (snapshot: ClusterSnapshot, policy: SchedulingPolicy, resources: ResourceTable): ((pod: Pod) => PodClass) => {
  const shapeOf = shapeReader(policy.labelCatalog);
  const rules = { resources, canonicalRung: rungInterner(), steps: stepsOf(snapshot, policy) };
  const classes = new Map<PodShape, PodClass>();
  return ({ spec }) => {
    const shape = shapeOf(spec);
    const known = classes.get(shape);
    if (known !== undefined) return known;
    const fresh = podClass(shape, classes.size, rules);
    classes.set(shape, fresh);
    return fresh;
  };
};
