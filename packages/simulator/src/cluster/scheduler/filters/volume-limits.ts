import type { CsiNode, PersistentVolumeObject, PersistentVolumeClaimObject } from '../../objects/volume.ts';
import type { NodeSlot } from '../node-slot.ts';
import type { BinderPodClass } from '../pods/pod-class.ts';
import { ADMITTED, type BinderFilter } from './node-filters.ts';
import type { VolumeReader } from '../volumes/volume-views.ts';

const TOO_MANY = ['node(s) exceed max volume count'];

/** A volume's unique name → its driver. */
type Attached = Map<string, string>;

/** Unique name and driver of a claim's volume; of a claim without one, those of the volume that will be made for it. */
const volumeBehind = (
  claimKey: string,
  claim: PersistentVolumeClaimObject,
  volumes: VolumeReader,
): readonly [string, string] | undefined => {
  const { volumeName = '', storageClassName = '' } = claim.spec;
  if (volumeName !== '') return uniqueName(volumes.volume(volumeName));
  const driver = volumes.storageClass(storageClassName)?.provisioner;
  return driver === undefined ? undefined : [`${driver}/${claimKey}`, driver];
};

const uniqueName = (volume: PersistentVolumeObject | undefined): readonly [string, string] | undefined => {
  const csi = volume?.spec.csi;
  return csi === undefined ? undefined : [`${csi.driver}/${csi.volumeHandle}`, csi.driver];
};

const addClaims = (attached: Attached, { namespace, claimNames }: BinderPodClass, volumes: VolumeReader): void => {
  for (const name of claimNames) {
    const claim = volumes.claim(namespace, name);
    const found = claim && volumeBehind(`${namespace}/${name}`, claim, volumes);
    if (found !== undefined) attached.set(...found);
  }
};

const attachedOn = (slot: NodeSlot, volumes: VolumeReader): Attached => {
  const attached: Attached = new Map();
  for (const pod of slot.pods.keys()) addClaims(attached, pod, volumes);
  for (const { spec } of volumes.attachmentsOn(slot.name)) {
    const found = uniqueName(volumes.volume(spec.source.persistentVolumeName ?? ''));
    if (found !== undefined) attached.set(...found);
  }
  return attached;
};

const limitsOf = (csiNode: CsiNode | undefined): readonly (readonly [string, number])[] =>
  (csiNode?.spec.drivers ?? []).flatMap(({ name, allocatable }) =>
    allocatable?.count === undefined ? [] : [[name, allocatable.count] as const],
  );

const countOf = (attached: Attached, driver: string): number => [...attached.values()].filter((one) => one === driver).length;

/**
 * A driver attaches no more volumes than the node's CSINode says; a volume counts once however many pods share it, and
 * until it is detached. Source: Kubernetes, plugin `NodeVolumeLimits`.
 */
export const volumeLimits = (pod: BinderPodClass, volumes: VolumeReader): BinderFilter => {
  const wanted: Attached = new Map();
  addClaims(wanted, pod, volumes);
  if (wanted.size === 0) return () => ADMITTED;
  return (_pod, slot) => {
    const limits = limitsOf(volumes.csiNode(slot.name));
    if (limits.length === 0) return ADMITTED;
    const before = attachedOn(slot, volumes);
    const added: Attached = new Map([...wanted].filter(([name]) => !before.has(name)));
    const isOver = ([driver, limit]: readonly [string, number]): boolean => {
      const more = countOf(added, driver);
      return more > 0 && countOf(before, driver) + more > limit;
    };
    return limits.some(isOver) ? TOO_MANY : ADMITTED;
  };
};
