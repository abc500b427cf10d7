import type { LocalApi } from '@karpenter/api-server';
import { getOrMake } from '@karpenter/core/internal';
import { claimNamesOf, podKind, type PodObject } from '../objects/pod.ts';
import { objectKeyText } from '../objects/object-key.ts';

/** All pods, found by who controls them and where they run, without a walk over the cluster. */
export interface ClusterPodIndex extends Disposable {
  ownedBy(uid: string | undefined): readonly PodObject[];
  onNode(nodeName: string): readonly PodObject[];
  inNamespace(namespace: string): readonly PodObject[];
  /** By `namespace/name` of a PersistentVolumeClaim. */
  usingClaim(claimKey: string): readonly PodObject[];
  get(key: string): PodObject | undefined;
}

type Buckets = Map<string, Map<string, PodObject>>;

const put = (buckets: Buckets, bucket: string | undefined, pod: PodObject): void => {
  if (bucket === undefined) return;
  const members = getOrMake(buckets, bucket, () => new Map<string, PodObject>());
  members.set(objectKeyText(pod), pod);
};

const drop = (buckets: Buckets, bucket: string | undefined, pod: PodObject): void => {
  if (bucket === undefined) return;
  const members = buckets.get(bucket);
  members?.delete(objectKeyText(pod));
  if (members?.size === 0) buckets.delete(bucket);
};

const membersOf = (buckets: Buckets, bucket: string | undefined): readonly PodObject[] => [...(buckets.get(bucket ?? '')?.values() ?? [])];

const claimKeysOf = (pod: PodObject): readonly string[] => claimNamesOf(pod).map((name) => `${pod.metadata.namespace ?? ''}/${name}`);

/** The uid of the controller that owns an object. */
const controllerUid = (pod: PodObject): string | undefined => pod.metadata.ownerReferences?.find((owner) => owner.controller)?.uid;

/**
 * Follows all pods. Current in every watch callback and every later turn, because it is updated inside the call that
 * writes.
 */
export const createPodIndex = (api: LocalApi): ClusterPodIndex => {
  const all = new Map<string, PodObject>();
  const byOwner: Buckets = new Map();
  const byNode: Buckets = new Map();
  const byNamespace: Buckets = new Map();
  const byClaim: Buckets = new Map();

  const forget = (pod: PodObject): void => {
    all.delete(objectKeyText(pod));
    drop(byOwner, controllerUid(pod), pod);
    drop(byNode, pod.spec.nodeName, pod);
    drop(byNamespace, pod.metadata.namespace, pod);
    for (const claim of claimKeysOf(pod)) drop(byClaim, claim, pod);
  };
  const learn = (pod: PodObject): void => {
    const before = all.get(objectKeyText(pod));
    if (before !== undefined) forget(before);
    all.set(objectKeyText(pod), pod);
    put(byOwner, controllerUid(pod), pod);
    put(byNode, pod.spec.nodeName, pod);
    put(byNamespace, pod.metadata.namespace, pod);
    for (const claim of claimKeysOf(pod)) put(byClaim, claim, pod);
  };

  const watch = api.watch(podKind, ({ type, object }) => {
    if (type === 'DELETED') forget(object);
    else learn(object);
  });
  return {
    ownedBy: (uid) => membersOf(byOwner, uid),
    onNode: (nodeName) => membersOf(byNode, nodeName),
    inNamespace: (namespace) => membersOf(byNamespace, namespace),
    usingClaim: (claimKey) => membersOf(byClaim, claimKey),
    get: (key) => all.get(key),
    [Symbol.dispose]: () => watch[Symbol.dispose](),
  };
};
