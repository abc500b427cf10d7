import { conditionOf } from '../object-meta.ts';
import type { ResourceList } from '../object-meta.ts';
import { parseQuantity } from '../quantity.ts';
import { addResources, maxResources, resourcesOf, sumResources } from '../resources.ts';
import type { Resources } from '../resources.ts';
import type { Container, ContainerStatus, Pod, PodSpec, ResourceRequirements } from './pod.ts';

/** Why a requested resize has not happened; undefined where none is pending. */
export const pendingResizeOf = ({ status }: Pod): 'Deferred' | 'Infeasible' | undefined => {
  const reason = conditionOf(status?.conditions, 'PodResizePending')?.reason;
  return reason === 'Deferred' || reason === 'Infeasible' ? reason : undefined;
};

/** A resize that does not go on: it waits for room, the node cannot hold it, or the kubelet fails to do it. */
export interface ResizeTrouble {
  readonly reason: 'Deferred' | 'Infeasible' | 'Error';
  readonly message: string;
}

/** What keeps a pod from being resized; undefined where nothing does. */
export const resizeTroubleOf = (pod: Pod): ResizeTrouble | undefined => {
  const pending = pendingResizeOf(pod);
  const conditions = pod.status?.conditions;
  if (pending !== undefined) return { reason: pending, message: conditionOf(conditions, 'PodResizePending')?.message ?? '' };
  const inProgress = conditionOf(conditions, 'PodResizeInProgress');
  return inProgress?.reason === 'Error' ? { reason: 'Error', message: inProgress.message ?? '' } : undefined;
};

/** Amounts that a pod was granted: by the kubelet (`allocated`), and as its containers run (`actual`). */
interface Granted {
  readonly actual: ResourceList | undefined;
  readonly allocated: ResourceList | undefined;
}

/** Whether one quantity is larger than another; a malformed one is larger than none. */
const isLarger = (quantity: string | number, than: string | number): boolean => {
  const [a, b] = [parseQuantity(String(quantity)), parseQuantity(String(than))];
  return a !== undefined && b !== undefined && a.nanos > b.nanos;
};

/** Resource → the larger amount, as written; the first list itself where nothing in the other is larger. */
const largerOf = (list: ResourceList, other: ResourceList = {}): ResourceList => {
  const larger = Object.entries(other).filter(([name, quantity]) => {
    const known = list[name];
    return known === undefined || (known !== quantity && isLarger(quantity, known));
  });
  return larger.length === 0 ? list : { ...list, ...Object.fromEntries(larger) };
};

/** What counts of a pod with a resize: the greater of the requests and what is allocated. Infeasible requests do not count. */
const effective = (asked: ResourceList, { actual, allocated }: Granted, isInfeasible: boolean): ResourceList =>
  largerOf(largerOf(isInfeasible ? {} : asked, actual), allocated);

const areEqual = (a: ResourceList, b: ResourceList): boolean => {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
};

/** The same object where its requests stay. */
const withRequests = <T extends { readonly resources?: ResourceRequirements }>(owner: T, requests: ResourceList): T =>
  areEqual(owner.resources?.requests ?? {}, requests) ? owner : { ...owner, resources: { ...owner.resources, requests } };

const asRun = (container: Container, status: ContainerStatus | undefined, isInfeasible: boolean): Container => {
  if (status?.resources === undefined) return container;
  const granted = { actual: status.resources.requests, allocated: status.allocatedResources };
  const { requests, limits } = container.resources ?? {};
  return withRequests(container, effective({ ...limits, ...requests }, granted, isInfeasible));
};

const POD_LEVEL = /^(?:cpu$|memory$|hugepages-)/;

/** Pod-level requests of the resources that the pod names, where the kubelet reports what the pod has. */
const podLevelOf = ({ spec: { resources }, status }: Pod, isInfeasible: boolean): ResourceRequirements | undefined => {
  if (resources?.requests === undefined || status?.resources === undefined) return resources;
  const granted = { actual: status.resources.requests, allocated: status.allocatedResources };
  const all = effective(resources.requests, granted, isInfeasible);
  const named = Object.entries(all).filter(([name]) => POD_LEVEL.test(name) && resources.requests?.[name] !== undefined);
  return withRequests({ resources }, { ...resources.requests, ...Object.fromEntries(named) }).resources;
};

/** The list itself where each element stays the same object. */
const mapped = (containers: readonly Container[], run: (container: Container) => Container): readonly Container[] => {
  const after = containers.map(run);
  return after.every((each, i) => each === containers[i]) ? containers : after;
};

const statusesOf = ({ status }: Pod): ReadonlyMap<string, ContainerStatus> =>
  new Map([...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])].map((each) => [each.name, each]));

/** Whether the kubelet has said anything by which the pod's requests may differ from its spec. */
export const reportsResources = ({ status }: Pod): boolean =>
  status !== undefined &&
  (status.containerStatuses !== undefined || status.initContainerStatuses !== undefined || status.resources !== undefined);

/**
 * The spec with the requests that a node must hold while a pod is resized in place. Per container, sidecar and pod:
 * the greatest of spec, allocated and actual resources; without the spec where the resize is infeasible. The spec
 * itself where they are equal. Costs one read of each container. Source: Kubernetes,
 * `component-helpers/resource.PodRequests` with `UseStatusResources`.
 */
export const resizedSpec = (pod: Pod): Pod['spec'] => {
  const { spec } = pod;
  if (!reportsResources(pod)) return spec;
  const statuses = statusesOf(pod);
  const isInfeasible = pendingResizeOf(pod) === 'Infeasible';
  const run = (container: Container): Container => asRun(container, statuses.get(container.name), isInfeasible);
  const containers = mapped(spec.containers, run);
  const initContainers = spec.initContainers && mapped(spec.initContainers, (each) => (each.restartPolicy === 'Always' ? run(each) : each));
  const resources = podLevelOf(pod, isInfeasible);
  const isSame = containers === spec.containers && initContainers === spec.initContainers && resources === spec.resources;
  return isSame ? spec : { ...spec, containers, ...(initContainers && { initContainers }), ...(resources && { resources }) };
};

/** What a container asks for: its requests, and its limits where it names no request. */
const containerRequests = ({ resources }: Container): Resources => {
  if (resources === undefined) return {};
  return resourcesOf(resources.limits === undefined ? resources.requests : { ...resources.limits, ...resources.requests });
};

const isSidecar = (container: Container): boolean => container.restartPolicy === 'Always';
const NOTHING: Resources = {};

type AmountsOf = (container: Container) => Resources;

/** Init containers run one after the other beside the sidecars that were started before them; sidecars stay. */
const withInitContainers = (main: Resources, initContainers: readonly Container[], amountsOf: AmountsOf): Resources => {
  let sidecars = NOTHING;
  let peak = NOTHING;
  for (const container of initContainers) {
    const running = addResources(sidecars, amountsOf(container));
    if (isSidecar(container)) sidecars = running;
    peak = maxResources(peak, running);
  }
  return maxResources(addResources(main, sidecars), peak);
};

/** The most that the pod's containers come to at one time. */
const mostOf = ({ containers, initContainers }: PodSpec, amountsOf: AmountsOf): Resources => {
  const main = sumResources(containers.map(amountsOf));
  return initContainers === undefined ? main : withInitContainers(main, initContainers, amountsOf);
};

/** Pod-level requests replace the sum of the containers'. A pod-level limit counts only where nothing else is requested. */
const withPodLevel = (sum: Resources, requests: ResourceList | undefined, limits: ResourceList | undefined): Resources => ({
  ...resourcesOf(limits),
  ...sum,
  ...resourcesOf(requests),
});

/**
 * What the scheduler reserves for a pod on a node, with `pods: 1`.
 * Source: Kubernetes, `component-helpers/resource.PodRequests`.
 */
export const requestsOfPodSpec = (spec: PodSpec): Resources => {
  let requests = mostOf(spec, containerRequests);
  if (spec.resources !== undefined) requests = withPodLevel(requests, spec.resources.requests, spec.resources.limits);
  if (spec.overhead !== undefined) requests = addResources(requests, resourcesOf(spec.overhead));
  return { ...requests, pods: 1 };
};

/**
 * As `requestsOfPodSpec`, and at least what the pod holds while it is resized in place: cpu in thousandths, memory in
 * bytes, else counts. Throws RangeError on a malformed quantity.
 */
export const podRequests = (pod: Pod): Resources => requestsOfPodSpec(resizedSpec(pod));

/**
 * What a pod is held to, as far as its containers name limits: what none of them names is missing. Units and errors as
 * `podRequests`. Source: Kubernetes, `component-helpers/resource.PodLimits`.
 */
export const podLimits = ({ spec }: Pod): Resources => {
  const ofContainers = mostOf(spec, ({ resources }) => resourcesOf(resources?.limits));
  const overhead = resourcesOf(spec.overhead);
  const limits = Object.entries({ ...ofContainers, ...resourcesOf(spec.resources?.limits) });
  return Object.fromEntries(limits.map(([name, limit]) => [name, limit + (overhead[name] ?? 0)]));
};
