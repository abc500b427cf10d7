import type { LocalApi } from '@karpenter/api-server';
import { volumeClaims } from '../../objects/volume.ts';
import type { BinderPodClass } from '../pods/pod-class.ts';

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
