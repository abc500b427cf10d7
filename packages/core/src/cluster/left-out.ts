import type { FieldProblem } from '../base/index.ts';
import type { SelectingKind } from './pods/pod-selector.ts';

type StorageKind = 'PersistentVolumeClaim' | 'PersistentVolume' | 'StorageClass' | 'CSINode';
type DeviceKind = 'DeviceClass' | 'ResourceClaim' | 'ResourceClaimTemplate' | 'ResourceSlice';
type WorkloadKind = 'Pod' | 'DaemonSet' | 'PodDisruptionBudget' | 'PodGroup' | 'Namespace';
type LeftOutKind = 'NodePool' | 'InstanceType' | 'Node' | WorkloadKind | StorageKind | DeviceKind | SelectingKind;

/** Something of a snapshot that cannot be read, and so was left out: the decision was made as if it were not there. */
export interface LeftOut {
  readonly kind: LeftOutKind;
  /** `namespace/name` where the kind has namespaces. An instance type: `<NodePool>/<type>`. */
  readonly name: string;
  readonly problem: FieldProblem;
}

/** The sentence that a person reads about it. */
export const explainLeftOut = ({ kind, name, problem: { field, value, problem } }: LeftOut): string =>
  `${kind} ${name} is left out: ${field} is "${value}": ${problem}`;
