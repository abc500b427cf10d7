import type { KindRef, ApiObject, LocalApi } from '@karpenter/api-server';
import { together } from '../../control/together.ts';
import { csiNodes, storageClasses, volumeClaims, volumes } from '../../objects/volume.ts';
import { createAttachmentIndex } from '../../storage/attachment-index.ts';
import type { VolumeReader } from './volume-reader.ts';

const READ: readonly KindRef<ApiObject>[] = [volumeClaims, volumes, storageClasses, csiNodes];

/** Reads what the API knows of volumes; `changed` is called whenever some of it may have another answer. */
export const followVolumes = (api: LocalApi, changed: () => void): VolumeReader & Disposable => {
  const attachments = createAttachmentIndex(api, changed);
  const watches = READ.map((kind) => api.watch(kind, changed));
  const all = together(attachments, ...watches);
  return {
    claim: (namespace, name) => api.get(volumeClaims, { namespace, name }),
    volume: (name) => (name === '' ? undefined : api.get(volumes, { name })),
    storageClass: (name) => (name === '' ? undefined : api.get(storageClasses, { name })),
    csiNode: (name) => api.get(csiNodes, { name }),
    attachmentsOn: (nodeName) => attachments.onNode(nodeName),
    [Symbol.dispose]: () => all[Symbol.dispose](),
  };
};
