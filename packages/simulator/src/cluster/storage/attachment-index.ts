import type { LocalApi } from '@karpenter/api-server';
import type { VolumeAttachmentObject } from '../objects/volume.ts';
import { volumeAttachments } from '../objects/volume.ts';

/** All VolumeAttachments, found by node and by volume. */
export interface AttachmentIndex extends Disposable {
  onNode(nodeName: string): readonly VolumeAttachmentObject[];
  ofVolume(volumeName: string): readonly VolumeAttachmentObject[];
}

type Groups = Map<string, Map<string, VolumeAttachmentObject>>;

const volumeOf = ({ spec }: VolumeAttachmentObject): string => spec.source.persistentVolumeName ?? '';

const put = (groups: Groups, group: string, attachment: VolumeAttachmentObject): void => {
  const members = groups.get(group) ?? new Map<string, VolumeAttachmentObject>();
  groups.set(group, members);
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
