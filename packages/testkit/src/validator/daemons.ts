import type { ClusterSnapshot, Pod, Taint } from '@karpenter/core';
import { getOrMake } from '@karpenter/core/internal';
import type { DaemonSet, PodSpec } from '@karpenter/core/internal';
import type { FloatAmounts } from './amounts.ts';
import { plus, reservedAmounts } from './amounts.ts';
import { meetsNodeLabels } from './node-labels.ts';
import type { PlainLabels } from './node-labels.ts';
import { bearsTaints } from './taints.ts';

/** Where there are DaemonSets, and where their pods run. */
export type Daemons = Pick<ClusterSnapshot, 'daemonSets' | 'nodes'>;

const created = ({ metadata }: Pod): string => metadata.creationTimestamp ?? '';

const known = new WeakMap<DaemonSet, { readonly nodes: Daemons['nodes']; readonly spec: PodSpec }>();

/** As the youngest pod of the DaemonSet has it: the API server may have put something on top of the template. */
const youngestOf = ({ metadata, spec }: DaemonSet, nodes: Daemons['nodes']): PodSpec => {
  const own = nodes
    .flatMap(({ pods }) => pods)
    .filter((pod) => (pod.metadata.ownerReferences ?? []).some(({ kind, uid }) => kind === 'DaemonSet' && uid === metadata.uid))
    .sort((a, b) => (created(a) === created(b) ? (a.metadata.name < b.metadata.name ? 1 : -1) : created(a) < created(b) ? 1 : -1));
  return own[0]?.spec ?? spec.template.spec;
};

const specOf = (daemonSet: DaemonSet, nodes: Daemons['nodes']): PodSpec => {
  const found = known.get(daemonSet);
  if (found?.nodes === nodes) return found.spec;
  const spec = youngestOf(daemonSet, nodes);
  known.set(daemonSet, { nodes, spec });
  return spec;
};

/** The daemon pods that will come to a node with these labels and taints. */
export const daemonPodsOn = ({ daemonSets, nodes }: Daemons, labels: PlainLabels, taints: readonly Taint[]): readonly PodSpec[] =>
  daemonSets
    .filter(({ spec: { template } }) => bearsTaints(taints, template.spec.tolerations) && meetsNodeLabels(template.spec, labels))
    .map((daemonSet) => specOf(daemonSet, nodes));

const reserved = new WeakMap<PodSpec, FloatAmounts>();

const reservedFor = (spec: PodSpec): FloatAmounts => getOrMake(reserved, spec, () => reservedAmounts({ spec }));

/** What they will take of it. */
export const daemonsOn = (daemons: Daemons, labels: PlainLabels, taints: readonly Taint[]): FloatAmounts =>
  daemonPodsOn(daemons, labels, taints).map(reservedFor).reduce(plus, new Map<string, number>());
