import type { Pod } from '@karpenter/core';
import type { NodeSelectorTerm, PodAffinityTerm, PodSpec, Toleration, TopologySpreadConstraint } from '@karpenter/core/internal';

/** One thing that a test says about a pod. */
export type PodTrait = (pod: Pod) => Pod;

/** Amounts as the solver counts them; any other resource by its Kubernetes name (`nvidia.com/gpu`). */
export interface Amounts {
  readonly cpuMillis?: number;
  readonly memoryBytes?: number;
  readonly [resource: string]: number | undefined;
}

let made = 0;

/** A pending pod with a name and a uid of its own, one container without requests, and whatever the traits say. */
export const aPod = (...traits: readonly PodTrait[]): Pod => {
  made += 1;
  const name = `pod-${String(made).padStart(6, '0')}`;
  const bare: Pod = {
    metadata: { name, namespace: 'default', uid: name, creationTimestamp: '2026-01-01T00:00:00Z' },
    spec: { containers: [{ name: 'main' }] },
    status: { phase: 'Pending' },
  };
  return traits.reduce((pod, trait) => trait(pod), bare);
};

/** As many pods with the same traits, each with a name of its own. */
export const pods = (count: number, ...traits: readonly PodTrait[]): readonly Pod[] => Array.from({ length: count }, () => aPod(...traits));

const withSpec =
  (change: (spec: PodSpec) => Partial<PodSpec>): PodTrait =>
  (pod) => ({ ...pod, spec: { ...pod.spec, ...change(pod.spec) } });

export const requesting = ({ cpuMillis, memoryBytes, ...others }: Amounts): PodTrait => {
  const requests: Record<string, string | number> = {};
  if (cpuMillis !== undefined) requests['cpu'] = `${cpuMillis}m`;
  if (memoryBytes !== undefined) requests['memory'] = memoryBytes;
  for (const [name, amount] of Object.entries(others)) if (amount !== undefined) requests[name] = amount;
  return withSpec(() => ({ containers: [{ name: 'main', resources: { requests } }] }));
};

export const withNodeSelector = (nodeSelector: Readonly<Record<string, string>>): PodTrait =>
  withSpec((spec) => ({ nodeSelector: { ...spec.nodeSelector, ...nodeSelector } }));

export const inZone = (zone: string): PodTrait => withNodeSelector({ 'topology.kubernetes.io/zone': zone });

/** Required node affinity; the terms are ORed. */
export const requiringAnyOf = (...nodeSelectorTerms: readonly NodeSelectorTerm[]): PodTrait =>
  withSpec((spec) => ({
    affinity: {
      ...spec.affinity,
      nodeAffinity: { ...spec.affinity?.nodeAffinity, requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } },
    },
  }));

export const preferring = (weight: number, preference: NodeSelectorTerm): PodTrait =>
  withSpec((spec) => ({
    affinity: {
      ...spec.affinity,
      nodeAffinity: {
        ...spec.affinity?.nodeAffinity,
        preferredDuringSchedulingIgnoredDuringExecution: [
          ...(spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []),
          { weight, preference },
        ],
      },
    },
  }));

export const tolerating = (...tolerations: readonly Toleration[]): PodTrait =>
  withSpec((spec) => ({ tolerations: [...(spec.tolerations ?? []), ...tolerations] }));

/** Takes the place of a constraint that says the same for the same key: the API takes no two of these. */
export const spreadOver = (constraint: TopologySpreadConstraint): PodTrait =>
  withSpec(({ topologySpreadConstraints = [] }) => ({
    topologySpreadConstraints: [
      ...topologySpreadConstraints.filter(
        ({ topologyKey, whenUnsatisfiable }) =>
          topologyKey !== constraint.topologyKey || whenUnsatisfiable !== constraint.whenUnsatisfiable,
      ),
      constraint,
    ],
  }));

/** Required pod anti-affinity; several terms all hold. */
export const awayFrom = (term: PodAffinityTerm): PodTrait =>
  withSpec(({ affinity }) => ({
    affinity: {
      ...affinity,
      podAntiAffinity: {
        ...affinity?.podAntiAffinity,
        requiredDuringSchedulingIgnoredDuringExecution: [
          ...(affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
          term,
        ],
      },
    },
  }));

/** Required pod affinity; several terms all hold. */
export const nextTo = (term: PodAffinityTerm): PodTrait =>
  withSpec(({ affinity }) => ({
    affinity: {
      ...affinity,
      podAffinity: {
        ...affinity?.podAffinity,
        requiredDuringSchedulingIgnoredDuringExecution: [
          ...(affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
          term,
        ],
      },
    },
  }));

/** Preferred pod anti-affinity. */
export const ratherAwayFrom = (weight: number, podAffinityTerm: PodAffinityTerm): PodTrait =>
  withSpec(({ affinity }) => ({
    affinity: {
      ...affinity,
      podAntiAffinity: {
        ...affinity?.podAntiAffinity,
        preferredDuringSchedulingIgnoredDuringExecution: [
          ...(affinity?.podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []),
          { weight, podAffinityTerm },
        ],
      },
    },
  }));

/** Preferred pod affinity. */
export const ratherNextTo = (weight: number, podAffinityTerm: PodAffinityTerm): PodTrait =>
  withSpec(({ affinity }) => ({
    affinity: {
      ...affinity,
      podAffinity: {
        ...affinity?.podAffinity,
        preferredDuringSchedulingIgnoredDuringExecution: [
          ...(affinity?.podAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []),
          { weight, podAffinityTerm },
        ],
      },
    },
  }));

export const inNamespace =
  (namespace: string): PodTrait =>
  (pod) => ({ ...pod, metadata: { ...pod.metadata, namespace } });

export const named =
  (name: string): PodTrait =>
  (pod) => ({ ...pod, metadata: { ...pod.metadata, name, uid: name } });

export const labelled =
  (labels: Readonly<Record<string, string>>): PodTrait =>
  (pod) => ({ ...pod, metadata: { ...pod.metadata, labels: { ...pod.metadata.labels, ...labels } } });

export const annotated =
  (annotations: Readonly<Record<string, string>>): PodTrait =>
  (pod) => ({ ...pod, metadata: { ...pod.metadata, annotations: { ...pod.metadata.annotations, ...annotations } } });

/** Owned by a controller of this kind: `DaemonSet`, `ReplicaSet`, `Node` (a mirror pod). */
export const ownedBy =
  (kind: string, name = 'owner'): PodTrait =>
  (pod) => ({
    ...pod,
    metadata: { ...pod.metadata, ownerReferences: [{ apiVersion: 'apps/v1', kind, name, uid: `${kind}-${name}`, controller: true }] },
  });

/** Bound to a node and running there. */
export const runningOn =
  (nodeName: string): PodTrait =>
  (pod) => ({ ...pod, spec: { ...pod.spec, nodeName }, status: { ...pod.status, phase: 'Running' } });
