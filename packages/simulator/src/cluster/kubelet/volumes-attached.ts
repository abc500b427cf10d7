import type { LocalApi } from '@karpenter/api-server';
import { claimNamesOf, type PodObject } from '../objects/pod.ts';
import { volumeAttachments, volumeClaims, volumes } from '../objects/volume.ts';
import { attachmentName, isAttachable } from '../storage/attachment-index.ts';

const isThere = (api: LocalApi, volumeName: string, nodeName: string): boolean => {
  const volume = volumeName === '' ? undefined : api.get(volumes, { name: volumeName });
  const csi = volume?.spec.csi;
  if (csi === undefined || !isAttachable(api, csi.driver)) return volume !== undefined;
  return api.get(volumeAttachments, { name: attachmentName(csi, nodeName) })?.status?.attached === true;
};

/** Whether every volume of a pod is bound and attached to its node, so that its containers may start. */
export const volumesAttached = (api: LocalApi, pod: PodObject): boolean =>
  claimNamesOf(pod).every((name) => {
    const claim = api.get(volumeClaims, { namespace: pod.metadata.namespace, name });
    return isThere(api, claim?.spec.volumeName ?? '', pod.spec.nodeName ?? '');
  });
