import type { Toleration } from '@karpenter/core/internal';
import { type NodeObject, nodeTaints } from '../objects/node.ts';
import type { WorkloadPodSpec } from '../objects/pod.ts';
import { matchesAnyTerm } from '../selectors/node-selector.ts';
import { isTolerated } from '../selectors/toleration.ts';

const exists = (key: string, effect: 'NoSchedule' | 'NoExecute'): Toleration => ({ key, operator: 'Exists', effect });

/** What every daemon pod tolerates. Source: kubernetes.io, "DaemonSet", taints and tolerations. */
const DAEMON_TOLERATIONS: readonly Toleration[] = [
  exists(nodeTaints.notReady, 'NoExecute'),
  exists(nodeTaints.unreachable, 'NoExecute'),
  exists('node.kubernetes.io/disk-pressure', 'NoSchedule'),
  exists('node.kubernetes.io/memory-pressure', 'NoSchedule'),
  exists('node.kubernetes.io/pid-pressure', 'NoSchedule'),
  exists(nodeTaints.unschedulable, 'NoSchedule'),
];

/** The template's spec, bound to one node by affinity and with the tolerations of daemons. */
export const daemonPodSpec = (spec: WorkloadPodSpec, nodeName: string): WorkloadPodSpec => {
  const field = { key: 'metadata.name', operator: 'In' as const, values: [nodeName] };
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [{}];
  const nodeSelectorTerms = required.map((term) => ({ ...term, matchFields: [field] }));
  const nodeAffinity = { ...spec.affinity?.nodeAffinity, requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } };
  const network = spec.hostNetwork === true ? [exists('node.kubernetes.io/network-unavailable', 'NoSchedule')] : [];
  return {
    ...spec,
    affinity: { ...spec.affinity, nodeAffinity },
    tolerations: [...(spec.tolerations ?? []), ...DAEMON_TOLERATIONS, ...network],
  };
};

const isSelected = ({ nodeSelector = {}, affinity }: WorkloadPodSpec, name: string, labels: Readonly<Record<string, string>>): boolean => {
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  if (!Object.entries(nodeSelector).every(([key, value]) => labels[key] === value)) return false;
  return required === undefined || matchesAnyTerm(required.nodeSelectorTerms, { name, labels });
};

/**
 * Whether a daemon pod belongs on a node: to be put there, to be left there, or neither. `spec` is that of `daemonPodSpec`.
 */
export const daemonBelongs = (
  spec: WorkloadPodSpec,
  { metadata, spec: nodeSpec }: NodeObject,
): { readonly run: boolean; readonly stay: boolean } => {
  if (!isSelected(spec, metadata.name ?? '', metadata.labels ?? {})) return { run: false, stay: false };
  const untolerated = (nodeSpec?.taints ?? []).filter(
    (taint) => taint.effect !== 'PreferNoSchedule' && !isTolerated(taint, spec.tolerations),
  );
  return { run: untolerated.length === 0, stay: untolerated.every((taint) => taint.effect !== 'NoExecute') };
};
