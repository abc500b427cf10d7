import { allocatableOf, type ClusterSnapshot, type InstanceType, type LabelCatalog, type Pod, requirementsOf } from '@karpenter/core';
import { cheapestOffering, namespaceOf, type NodePoolView, podRequests, sumResources } from '@karpenter/core/internal';
import { fluidBound } from '../solver/fluid-bound.ts';
import type { MachineOnSale } from '../solver/fluid-bound.ts';

const ARCHITECTURE = 'kubernetes.io/arch';

/** The types that the pool allows, less what its daemon pods take. All of the DaemonSets run on every node. */
const machinesFor = ({ nodePool, instanceTypes }: NodePoolView, { daemonSets }: ClusterSnapshot, labelCatalog: LabelCatalog) => {
  const daemons = sumResources(daemonSets.map(({ spec }) => podRequests({ metadata: { name: '' }, spec: spec.template.spec })));
  const requirements = requirementsOf(nodePool.spec.template.spec.requirements, labelCatalog);
  const architectures = nodePool.spec.template.spec.requirements.find(({ key }) => key === ARCHITECTURE)?.values;
  const isOfArchitecture = ({ requirements: own }: InstanceType): boolean => {
    const stated = own.get(ARCHITECTURE)?.values;
    return architectures === undefined || (stated?.kind === 'in' && architectures.some((each) => stated.values.has(each)));
  };
  return instanceTypes.filter(isOfArchitecture).flatMap((type): readonly MachineOnSale[] => {
    const offering = cheapestOffering(type, { requirements, labelCatalog });
    if (offering === undefined) return [];
    const whole = allocatableOf(type);
    const left = Object.entries(whole).map(([name, amount]) => [name, amount - (daemons[name] ?? 0)] as const);
    return left.some(([name, amount]) => amount <= 0 && (daemons[name] ?? 0) > 0)
      ? []
      : [{ allocatable: Object.fromEntries(left), pricePerHour: offering.pricePerHour }];
  });
};

/** The pods that a pod must, or would rather, keep off its host, as a text; undefined where it has none. */
export const groupApart = (pod: Pod): string | undefined => {
  const { requiredDuringSchedulingIgnoredDuringExecution: required = [], preferredDuringSchedulingIgnoredDuringExecution: preferred = [] } =
    pod.spec.affinity?.podAntiAffinity ?? {};
  const terms = [...required, ...preferred.map(({ podAffinityTerm }) => podAffinityTerm)];
  const [term] = terms.filter(({ topologyKey }) => topologyKey === 'kubernetes.io/hostname');
  return term && `${namespaceOf(pod)} ${JSON.stringify(term.labelSelector)}`;
};

/** Group → how many of its pods there are. */
export const sizesOfGroups = (pods: readonly Pod[]): ReadonlyMap<string, number> => {
  const sizes = new Map<string, number>();
  for (const group of pods.map(groupApart)) if (group !== undefined) sizes.set(group, (sizes.get(group) ?? 0) + 1);
  return sizes;
};

/** Dollars an hour below which no plan for the pods of a snapshot can be that keeps them as far apart as they would be. */
export const boundOf = (snapshot: ClusterSnapshot, labelCatalog: LabelCatalog): Promise<number> => {
  const { pendingPods, nodePools } = snapshot;
  const leastNodes = Math.max(1, ...sizesOfGroups(pendingPods).values());
  return fluidBound(
    pendingPods,
    nodePools.flatMap((view) => machinesFor(view, snapshot, labelCatalog)),
    leastNodes,
  );
};
