import type { ResourceList } from '@karpenter/core/internal';
import { conditionIn, putCondition } from '../objects/conditions.ts';
import { type Container, countsAsReplica, type KubeletContainerStatus, type KubeletPodStatus, type PodObject } from '../objects/pod.ts';
import { type ResourceAmounts, amountsOf, sumOf } from '../resources/amounts.ts';
import { effectiveRequests } from '../resources/effective-requests.ts';

/** Whether a node has room for a resize now, may have it later, or cannot hold it. */
export type ResizeVerdict = 'fits' | 'Deferred' | 'Infeasible';

const PENDING = 'PodResizePending';

const resourcesOf = ({ containers, initContainers = [] }: PodObject['spec']): string =>
  JSON.stringify([...containers, ...initContainers].map(({ resources }) => resources ?? {}));

/** Whether the spec differs from the one that the pod runs with, or its status still says that it did. */
export const isResized = ({ spec, status }: PodObject, granted: PodObject['spec']): boolean =>
  resourcesOf(granted) !== resourcesOf(spec) || conditionIn(status?.conditions, PENDING) !== undefined;

const fits = (wanted: ResourceAmounts, room: ResourceAmounts): boolean =>
  Object.entries(wanted).every(([name, amount]) => amount <= (room[name] ?? 0));

/** A node as its kubelet knows it. */
interface Room {
  /** Pods of the node; the resized one may be among them. */
  readonly others: readonly PodObject[];
  readonly allocatable: ResourceList | undefined;
}

export const resizeVerdict = ({ metadata, spec }: PodObject, { others, allocatable }: Room): ResizeVerdict => {
  const room = amountsOf(allocatable);
  const wanted = effectiveRequests({ spec });
  if (!fits(wanted, room)) return 'Infeasible';
  const rest = others.filter((other) => countsAsReplica(other) && other.metadata.uid !== metadata.uid);
  return fits(rest.map(effectiveRequests).reduce(sumOf, wanted), room) ? 'fits' : 'Deferred';
};

/** What runs before the resize, so that it counts while the resize waits. */
const withResources = (
  statuses: readonly KubeletContainerStatus[] | undefined,
  containers: readonly Container[] = [],
): readonly KubeletContainerStatus[] | undefined =>
  statuses?.map((status) => {
    const { resources = {} } = containers.find(({ name }) => name === status.name) ?? {};
    return { ...status, resources, allocatedResources: resources.requests ?? {} };
  });

/**
 * The status of a pod whose resize was judged: with the spec's resources where they fit, otherwise with those of
 * `before` and the condition that says why.
 */
export const resizedStatus = (
  { spec, status }: PodObject,
  before: PodObject['spec'],
  { verdict, now }: { readonly verdict: ResizeVerdict; readonly now: string },
): KubeletPodStatus => {
  const { conditions = [], containerStatuses, initContainerStatuses, ...rest } = status ?? {};
  const { containers, initContainers } = verdict === 'fits' ? spec : before;
  const message = verdict === 'Infeasible' ? "Node didn't have enough capacity" : "Node didn't have enough resource";
  const pending = { type: PENDING, status: 'True' as const, reason: verdict, message };
  const initStatuses = spec.initContainers && withResources(initContainerStatuses, initContainers);
  return {
    ...rest,
    conditions: verdict === 'fits' ? conditions.filter(({ type }) => type !== PENDING) : putCondition(conditions, pending, now),
    containerStatuses: withResources(containerStatuses, containers) ?? [],
    ...(initStatuses && { initContainerStatuses: initStatuses }),
  };
};
