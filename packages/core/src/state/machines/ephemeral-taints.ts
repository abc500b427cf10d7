import { unregisteredTaint } from '../../apis/index.ts';
import type { Taint } from '../../kube/index.ts';

const known: readonly Taint[] = [
  { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/unreachable', effect: 'NoSchedule' },
  { key: 'node.cloudprovider.kubernetes.io/uninitialized', effect: 'NoSchedule', value: 'true' },
  unregisteredTaint,
];

/** Whether both keep away the same pods in the same way; values are not compared. */
export const isSameTaint = (a: Taint, b: Taint): boolean => a.key === b.key && a.effect === b.effect;

/**
 * Whether a taint goes away by itself once a node has come up.
 * Source: the original's `pkg/scheduling/taints.go`, `KnownEphemeralTaints`.
 */
export const isEphemeralTaint = (taint: Taint): boolean =>
  taint.key.startsWith('readiness.k8s.io/') ||
  known.some((each) => isSameTaint(each, taint) && (each.value === undefined || each.value === taint.value));
