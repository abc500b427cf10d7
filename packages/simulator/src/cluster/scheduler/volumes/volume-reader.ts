import type { CsiNode, PersistentVolume, PersistentVolumeClaim, StorageClass, VolumeAttachment } from '../../objects/volume.ts';

/** What is known of volumes. */
export interface VolumeReader {
  claim(namespace: string, name: string): PersistentVolumeClaim | undefined;
  volume(name: string): PersistentVolume | undefined;
  storageClass(name: string): StorageClass | undefined;
  csiNode(nodeName: string): CsiNode | undefined;
  attachmentsOn(nodeName: string): readonly VolumeAttachment[];
}
