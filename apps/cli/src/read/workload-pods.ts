import type { Pod } from '@karpenter/core';
import { namespaceOf, namespacedNameOf } from '@karpenter/core/internal';
import type { PodSpec } from '@karpenter/core/internal';
import type { KubeObject } from '@karpenter/runtime';

interface PodTemplate {
  readonly metadata?: { readonly labels?: Readonly<Record<string, string>>; readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: PodSpec;
}

/** What workloads have in common, as far as pods are made from them. */
interface Workload {
  readonly replicas?: number;
  readonly parallelism?: number;
  readonly completions?: number;
  readonly template?: PodTemplate;
  readonly jobTemplate?: { readonly spec?: Workload };
}

/** How many pods a workload of the kind runs at once. */
const counts: Readonly<Record<string, (spec: Workload) => number>> = {
  Deployment: ({ replicas = 1 }) => replicas,
  ReplicaSet: ({ replicas = 1 }) => replicas,
  ReplicationController: ({ replicas = 1 }) => replicas,
  StatefulSet: ({ replicas = 1 }) => replicas,
  Job: ({ parallelism = 1, completions = parallelism }) => Math.min(parallelism, completions),
};

const specOf = (object: KubeObject): Workload => (object as { readonly spec?: Workload }).spec ?? {};

const podsOfTemplate = (workload: KubeObject, { metadata: of = {}, spec }: PodTemplate, amount: number): readonly Pod[] =>
  Array.from({ length: amount }, (_, index) => ({
    metadata: {
      ...of,
      name: `${workload.metadata.name}-${index}`,
      namespace: namespaceOf(workload),
      uid: `${workload.kind}/${namespacedNameOf(workload.metadata)}/${index}`,
    },
    spec,
  }));

const asPod = (object: KubeObject): Pod => {
  const { metadata, spec } = object as KubeObject & Pod;
  const { nodeName: _, ...rest } = spec;
  return { metadata: { ...metadata, namespace: namespaceOf(object) }, spec: rest };
};

/** The pods that an object makes, all of them pending: itself, those of a workload, or of one run of a CronJob. */
const podsOf = (object: KubeObject): readonly Pod[] => {
  if (object.kind === 'Pod') return [asPod(object)];
  if (object.kind === 'CronJob') return podsOf({ ...object, kind: 'Job', spec: specOf(object).jobTemplate?.spec } as KubeObject);
  const spec = specOf(object);
  const amount = counts[object.kind]?.(spec) ?? 0;
  return spec.template === undefined ? [] : podsOfTemplate(object, spec.template, amount);
};

/** Manifests taken apart: the pods that they make, and the rest (pools, DaemonSets, volumes), which belongs to the cluster. */
export const workloadPods = (objects: readonly KubeObject[]): { readonly pods: readonly Pod[]; readonly rest: readonly KubeObject[] } => {
  const isWorkload = ({ kind }: KubeObject): boolean => kind === 'Pod' || kind === 'CronJob' || kind in counts;
  return { pods: objects.filter(isWorkload).flatMap(podsOf), rest: objects.filter((object) => !isWorkload(object)) };
};
