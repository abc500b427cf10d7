import { podNameOf } from '@karpenter/cli/answers';
import type { ClusterSnapshot, Pod } from '@karpenter/core';
import { compareText, isDaemonPod } from '@karpenter/core/internal';

/** A workload that has pods now. */
export interface WorkloadRow {
  /** `Deployment shop/web` */
  readonly name: string;
  readonly pods: number;
}

const MOST_LISTED = 500;

/** The workload of a pod; a ReplicaSet that has a template hash belongs to a Deployment. Undefined for a pod on its own. */
const workloadOf = ({ metadata }: Pod): string | undefined => {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (owner === undefined) return undefined;
  const hash = metadata.labels?.['pod-template-hash'];
  const isOfDeployment = owner.kind === 'ReplicaSet' && hash !== undefined && owner.name.endsWith(`-${hash}`);
  const [kind, name] = isOfDeployment ? ['Deployment', owner.name.slice(0, -hash.length - 1)] : [owner.kind, owner.name];
  return `${kind} ${metadata.namespace ?? 'default'}/${name}`;
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

/** Pods as the workload would make them, without nodes; undefined where it has no pod to go by. */
export const furtherPods = (snapshot: ClusterSnapshot, workload: string, amount: number): readonly Pod[] | undefined => {
  const known = podsOf(snapshot).filter((pod) => workloadOf(pod) === workload);
  const [model] = known.sort((a, b) => compareText(podNameOf(a), podNameOf(b)));
  if (model === undefined) return undefined;
  const { nodeName: _, ...spec } = model.spec;
  return Array.from({ length: amount }, (_each, index) => {
    const name = `${model.metadata.name}-further-${index + 1}`;
    return { metadata: { ...model.metadata, name, uid: `what-if/${name}` }, spec };
  });
};
