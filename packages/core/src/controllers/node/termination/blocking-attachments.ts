import { claimedVolumesOf, namespacedNameOf } from '../../../kube/index.ts';
import type { PersistentVolumeClaim, Pod } from '../../../kube/index.ts';
import type { Kube, VolumeAttachment } from '../../../ports/index.ts';

interface StorageClaim {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: { readonly volumeName?: string };
}

/** Names of the volumes that the pods use through claims. */
const volumesOf = async (kube: Kube, pods: readonly Pod[], signal: AbortSignal): Promise<ReadonlySet<string>> => {
  const claims = new Set(pods.flatMap(claimedVolumesOf).map(({ claim }) => claim));
  const found = await Promise.all(
    [...claims].map((claim) => {
      const [namespace = '', name = ''] = claim.split('/');
      return kube.get<StorageClaim>('PersistentVolumeClaim', { namespace, name }, { signal });
    }),
  );
  return new Set(found.flatMap((claim) => claim?.spec?.volumeName ?? []));
};

export interface AttachmentQuestion {
  readonly attachments: readonly VolumeAttachment[];
  /** Pods that stay on the node until the end: their volumes are not waited for. */
  readonly staying: readonly Pod[];
  readonly kube: Kube;
}

/** The attachments that must go before the machine does, so that no volume is cut off while it is written to. */
export const blockingAttachments = async (
  nodeName: string,
  { attachments, staying, kube }: AttachmentQuestion,
  signal: AbortSignal,
): Promise<readonly VolumeAttachment[]> => {
  const here = attachments.filter(({ spec }) => spec.nodeName === nodeName && spec.source.persistentVolumeName !== undefined);
  if (here.length === 0) return here;
  const spared = await volumesOf(kube, staying, signal);
  return here.filter(({ spec }) => !spared.has(spec.source.persistentVolumeName ?? ''));
};

/** The volumes of attachments, sorted; each with the claim that it is bound to, which people know, in brackets. */
export const volumeTexts = (
  attachments: readonly VolumeAttachment[],
  claims: readonly Pick<PersistentVolumeClaim, 'metadata' | 'spec'>[],
): readonly string[] => {
  const names = attachments.flatMap(({ spec }) => spec.source.persistentVolumeName ?? []);
  const texts = new Map(names.map((name) => [name, name]));
  // A cluster has many claims, and this is looked at every second while a node waits: texts are made for few of them.
  for (const { metadata, spec: { volumeName = '' } = {} } of claims)
    if (texts.has(volumeName)) texts.set(volumeName, `${volumeName} (claim ${namespacedNameOf(metadata)})`);
  return [...texts.values()].sort();
};
