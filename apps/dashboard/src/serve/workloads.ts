import { podNameOf } from '@karpenter/cli/answers';
import type { ClusterSnapshot, Pod } from '@karpenter/core';
import { compareText, isDaemonPod, namespaceOf, type Volume } from '@karpenter/core/internal';

/** A workload that has pods now. */
export interface WorkloadRow {
  /** `Deployment shop/web` */
  readonly name: string;
  readonly pods: number;
}

const MOST_LISTED = 500;

/** The workload of a pod; a ReplicaSet that has a template hash belongs to a Deployment. Undefined for a pod on its own. */
const workloadOf = (pod: Pod): string | undefined => {
  const { metadata } = pod;
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (owner === undefined) return undefined;
  const hash = metadata.labels?.['pod-template-hash'];
  const isOfDeployment = owner.kind === 'ReplicaSet' && hash !== undefined && owner.name.endsWith(`-${hash}`);
  const [kind, name] = isOfDeployment ? ['Deployment', owner.name.slice(0, -hash.length - 1)] : [owner.kind, owner.name];
  return `${kind} ${namespaceOf(pod)}/${name}`;
};

const podsOf = ({ nodes, pendingPods }: ClusterSnapshot): readonly Pod[] =>
  [...nodes.flatMap(({ pods }) => pods), ...pendingPods].filter((pod) => !isDaemonPod(pod));

/** The workloads of the cluster, most pods first. */
export const workloadRows = (snapshot: ClusterSnapshot): readonly WorkloadRow[] => {
  const counts = new Map<string, number>();
  for (const pod of podsOf(snapshot)) {
    const name = workloadOf(pod);
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts]
    .map(([name, pods]) => ({ name, pods }))
    .sort((a, b) => b.pods - a.pods || compareText(a.name, b.name))
    .slice(0, MOST_LISTED);
};

/** The claims that a StatefulSet has made for the pod itself; a further pod would get others. */
const isOwnClaim = ({ metadata: { name, ownerReferences = [] } }: Pod, { persistentVolumeClaim }: Volume): boolean =>
  ownerReferences.some(({ kind }) => kind === 'StatefulSet') && persistentVolumeClaim?.claimName.endsWith(`-${name}`) === true;

/** The pod without a node, and without what its own life has added. */
const asNew = (pod: Pod): Pod => {
  const { deletionTimestamp: _deletion, ...metadata } = pod.metadata;
  const { nodeName: _node, ...spec } = pod.spec;
  const { volumes } = spec;
  return { metadata, spec: { ...spec, ...(volumes && { volumes: volumes.filter((volume) => !isOwnClaim(pod, volume)) }) } };
};

/** Pods as the workload would make them, without nodes; undefined where it has no pod to go by. */
export const furtherPods = (snapshot: ClusterSnapshot, workload: string, amount: number): readonly Pod[] | undefined => {
  const known = podsOf(snapshot).filter((pod) => workloadOf(pod) === workload);
  const [model] = known.sort((a, b) => compareText(podNameOf(a), podNameOf(b)));
  if (model === undefined) return undefined;
  const { metadata, spec } = asNew(model);
  return Array.from({ length: amount }, (_each, index) => {
    const name = `${metadata.name}-further-${index + 1}`;
    return { metadata: { ...metadata, name, uid: `what-if/${name}` }, spec };
  });
};
