import { createHash } from 'node:crypto';
import type { LocalApi } from '@karpenter/api-server';
import { getOrMake } from '@karpenter/core/internal';
import { csiDrivers, type VolumeAttachmentObject, volumeAttachments } from '../objects/volume.ts';

/** The name that the attach-detach controller gives the VolumeAttachment of a volume and a node. */
export const attachmentName = ({ driver, volumeHandle }: { driver: string; volumeHandle: string }, nodeName: string): string =>
  `csi-${createHash('sha256').update(`${volumeHandle}${driver}${nodeName}`).digest('hex')}`;

/**
 * Whether volumes of a CSI driver are attached to a node before they are mounted, as they are unless its CSIDriver says
 * otherwise.
 */
export const isAttachable = (api: LocalApi, driver: string): boolean =>
  api.get(csiDrivers, { name: driver })?.spec.attachRequired !== false;

/** All VolumeAttachments, found by node and by volume. */
export interface AttachmentIndex extends Disposable {
  onNode(nodeName: string): readonly VolumeAttachmentObject[];
  ofVolume(volumeName: string): readonly VolumeAttachmentObject[];
}

type Groups = Map<string, Map<string, VolumeAttachmentObject>>;

const volumeOf = ({ spec }: VolumeAttachmentObject): string => spec.source.persistentVolumeName ?? '';

const put = (groups: Groups, group: string, attachment: VolumeAttachmentObject): void => {
  const members = getOrMake(groups, group, () => new Map<string, VolumeAttachmentObject>());
  members.set(attachment.metadata.name ?? '', attachment);
};

const drop = (groups: Groups, group: string, { metadata }: VolumeAttachmentObject): void => {
  const members = groups.get(group);
  members?.delete(metadata.name ?? '');
  if (members?.size === 0) groups.delete(group);
};

/**
 * Follows them; `changed` is called after each change, with the volume's name. Node and volume of an attachment never
 * change.
 */
export const createAttachmentIndex = (api: LocalApi, changed: (volumeName: string) => void): AttachmentIndex => {
  const byNode: Groups = new Map();
  const byVolume: Groups = new Map();
  const watch = api.watch(volumeAttachments, ({ type, object }) => {
    const note = type === 'DELETED' ? drop : put;
    note(byNode, object.spec.nodeName, object);
    note(byVolume, volumeOf(object), object);
    changed(volumeOf(object));
  });
  return {
    onNode: (nodeName) => [...(byNode.get(nodeName)?.values() ?? [])],
    ofVolume: (volumeName) => [...(byVolume.get(volumeName)?.values() ?? [])],
    [Symbol.dispose]: () => watch[Symbol.dispose](),
  };
};
