import type { KindRef, ApiObject, LocalApi } from '@karpenter/api-server';
import { claimNamesOf, isBeingDeleted, type PodObject, type WorkloadPodSpec } from '../../objects/pod.ts';
import type { NodeLabels } from '../../selectors/node-selector.ts';
import { deviceClaimsOf, type DeviceClaimUse } from '../../objects/device.ts';
import { effectiveRequests } from '../../resources/effective-requests.ts';
import { type AffinityTerm, type AffinityTermOwner, compileTerm, type NamespaceLabels } from './affinity-term.ts';
import { type BoundHostPort, boundHostPortsOf } from './host-port.ts';
import { compileSpread, type SpreadConstraint } from './spread-constraint.ts';

interface PriorityClass extends ApiObject {
  readonly value: number;
}

const priorityClasses: KindRef<PriorityClass> = { kind: 'PriorityClass' };

/** What every cluster has without asking. */
const BUILT_IN: Readonly<Record<string, number>> = { 'system-cluster-critical': 2_000_000_000, 'system-node-critical': 2_000_001_000 };

/** The priority that admission gave the pod, or that of its class; 0 without either. */
export const podPriorityOf = (api: LocalApi, { spec }: PodObject): number => {
  if (spec.priority !== undefined) return spec.priority;
  const name = spec.priorityClassName ?? '';
  if (name === '') return 0;
  return api.get(priorityClasses, { name })?.value ?? BUILT_IN[name] ?? 0;
};

/** Everything about a pod that the binder reads; pods that are equal in it share one class. */
export interface BinderPodClass {
  readonly key: string;
  readonly namespace: string;
  readonly labels: NodeLabels;
  readonly spec: WorkloadPodSpec;
  readonly isTerminating: boolean;
  /** Only requested resources, with their amounts, `pods` included. */
  readonly requests: readonly (readonly [string, number])[];
  readonly hostPorts: readonly BoundHostPort[];
  /** Names of the PersistentVolumeClaims, ephemeral volumes' included. */
  readonly claimNames: readonly string[];
  /** The ResourceClaims that it uses. */
  readonly deviceClaims: readonly DeviceClaimUse[];
  /** Of a pod with such claims, which may be reserved for it already: it is in a class of its own. */
  readonly uid: string | undefined;
  readonly spread: readonly SpreadConstraint[];
  readonly affinity: readonly AffinityTerm[];
  readonly antiAffinity: readonly AffinityTerm[];
  /** Weights of anti-affinity are negative. */
  readonly preferredAffinity: readonly AffinityTerm[];
}

/** What the kubelet reports of the pod's resources, and whether a resize is pending. */
const grantedTo = ({ status }: PodObject): readonly unknown[] => {
  const statuses = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])];
  const granted = statuses.flatMap(({ name, resources, allocatedResources }) => (resources ? [[name, resources, allocatedResources]] : []));
  const resize = status?.conditions?.find(({ type }) => type === 'PodResizePending');
  return [granted, status?.resources, status?.allocatedResources, resize?.reason];
};

const claimingUid = (pod: PodObject): string | undefined => (deviceClaimsOf(pod).length > 0 ? pod.metadata.uid : undefined);

/** Equal exactly for pods of one class. */
export const classKeyOf = (pod: PodObject): string => {
  const { spec, metadata } = pod;
  const { nodeSelector, affinity, tolerations, topologySpreadConstraints, overhead, resources } = spec;
  const containers = [...spec.containers, ...(spec.initContainers ?? [])].map((container) => [
    container.resources,
    container.ports,
    container.restartPolicy,
  ]);
  const placement = [nodeSelector, affinity, tolerations, topologySpreadConstraints];
  const size = [spec.containers.length, containers, overhead, resources, grantedTo(pod)];
  return JSON.stringify([
    metadata.namespace,
    metadata.labels,
    isBeingDeleted(pod),
    placement,
    size,
    claimNamesOf(pod),
    deviceClaimsOf(pod),
    claimingUid(pod),
  ]);
};

/** Compiles the class of a pod. */
export const classOf = (pod: PodObject, namespaceLabels: NamespaceLabels): BinderPodClass => {
  const { spec, metadata } = pod;
  const owner: AffinityTermOwner = { namespace: metadata.namespace ?? '', labels: metadata.labels ?? {}, namespaceLabels };
  const { podAffinity, podAntiAffinity } = spec.affinity ?? {};
  const preferred = (sign: 1 | -1, of: typeof podAffinity): readonly AffinityTerm[] =>
    (of?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ weight, podAffinityTerm }) =>
      compileTerm(podAffinityTerm, owner, sign * weight),
    );
  const required = (of: typeof podAffinity): readonly AffinityTerm[] =>
    (of?.requiredDuringSchedulingIgnoredDuringExecution ?? []).map((term) => compileTerm(term, owner));
  return {
    key: classKeyOf(pod),
    namespace: owner.namespace,
    labels: owner.labels,
    spec,
    isTerminating: isBeingDeleted(pod),
    requests: Object.entries(effectiveRequests(pod)).filter(([, amount]) => amount > 0),
    hostPorts: boundHostPortsOf(spec),
    claimNames: claimNamesOf(pod),
    deviceClaims: deviceClaimsOf(pod),
    uid: claimingUid(pod),
    spread: (spec.topologySpreadConstraints ?? []).map((constraint) => compileSpread(constraint, owner)),
    affinity: required(podAffinity),
    antiAffinity: required(podAntiAffinity),
    preferredAffinity: [...preferred(1, podAffinity), ...preferred(-1, podAntiAffinity)],
  };
};
