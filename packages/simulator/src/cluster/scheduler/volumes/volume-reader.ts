import type {
  CsiNode,
  PersistentVolumeObject,
  PersistentVolumeClaimObject,
  StorageClassObject,
  VolumeAttachmentObject,
} from '../../objects/volume.ts';

/** What is known of volumes. */
export interface VolumeReader {
  claim(namespace: string, name: string): PersistentVolumeClaimObject | undefined;
  volume(name: string): PersistentVolumeObject | undefined;
  storageClass(name: string): StorageClassObject | undefined;
  csiNode(nodeName: string): CsiNode | undefined;
  attachmentsOn(nodeName: string): readonly VolumeAttachmentObject[];
}
