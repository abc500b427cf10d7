import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from '@karpenter/core/internal';
import type { Draws } from './draws.ts';
import { ZONE } from './setting.ts';
import type { Setting } from './setting.ts';

const DRIVER = 'disk.example.com';

/** A claim of one pod, and its volume if it has one. */
export interface DrawnVolume {
  readonly claim: PersistentVolumeClaim;
  readonly volume: PersistentVolume | undefined;
}

/** Volumes that are made where the first pod is: anywhere, and in the first and last zone only. */
export const classesFor = ({ zones }: Setting): readonly StorageClass[] => {
  const late = { provisioner: DRIVER, volumeBindingMode: 'WaitForFirstConsumer' } as const;
  const values = [...new Set([...zones.slice(0, 1), ...zones.slice(2).slice(-1)])];
  return [
    { ...late, metadata: { name: 'anywhere' } },
    { ...late, metadata: { name: 'zonal' }, allowedTopologies: [{ matchLabelExpressions: [{ key: ZONE, values }] }] },
  ];
};

/** A claim for a pod: still to be bound, or bound to a volume of one zone. */
export const drawVolume = (draws: Draws, { zones }: Setting, pod: { readonly name: string; readonly namespace: string }): DrawnVolume => {
  const { namespace } = pod;
  const [claimName, volumeName] = [`claim-${pod.name}`, `volume-${pod.name}`];
  const wanted = { accessModes: ['ReadWriteOnce'], storageClassName: draws.oneOf(['anywhere', 'zonal']) };
  const metadata = { name: claimName, namespace, uid: claimName };
  if (!draws.chance(40)) return { claim: { metadata, spec: wanted, status: { phase: 'Pending' } }, volume: undefined };
  const matchExpressions = [{ key: ZONE, operator: 'In' as const, values: [draws.oneOf(zones)] }];
  return {
    claim: {
      metadata: { ...metadata, annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } },
      spec: { ...wanted, volumeName },
      status: { phase: 'Bound' },
    },
    volume: {
      metadata: { name: volumeName },
      spec: { csi: { driver: DRIVER }, nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions }] } } },
    },
  };
};
