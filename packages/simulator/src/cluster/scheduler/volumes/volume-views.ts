import type { KindRef, ApiObject, LocalApi } from '@karpenter/api-server';
import {
  type CsiNode,
  csiNodes,
  type PersistentVolumeClaimObject,
  type PersistentVolumeObject,
  storageClasses,
  type StorageClassObject,
  type VolumeAttachmentObject,
  volumeClaims,
  volumes,
} from '../../objects/volume.ts';
import { together } from '../../control/control-deps.ts';
import { createAttachmentIndex } from '../../storage/attachment-index.ts';
import type { BinderPodClass } from '../pods/pod-class.ts';

/** What is known of volumes. */
export interface VolumeReader {
  claim(namespace: string, name: string): PersistentVolumeClaimObject | undefined;
  volume(name: string): PersistentVolumeObject | undefined;
  storageClass(name: string): StorageClassObject | undefined;
  csiNode(nodeName: string): CsiNode | undefined;
  attachmentsOn(nodeName: string): readonly VolumeAttachmentObject[];
}

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

export const SELECTED_NODE = 'volume.kubernetes.io/selected-node';

/** Writes the node of their first consumer to the unbound claims of a pod, so that their volumes are made in its zone. */
export const nominateClaims = (api: LocalApi, podClass: BinderPodClass, nodeName: string): void => {
  for (const name of podClass.claimNames) {
    const claim = api.get(volumeClaims, { namespace: podClass.namespace, name });
    if (claim === undefined || (claim.spec.volumeName ?? '') !== '') continue;
    const annotations = { ...claim.metadata.annotations, [SELECTED_NODE]: nodeName };
    api.update({ ...claim, metadata: { ...claim.metadata, annotations } });
  }
};
