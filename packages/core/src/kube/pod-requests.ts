import type { ResourceList } from './object-meta.ts';
import type { Container, Pod, PodSpec } from './pod.ts';
import { addResources, maxResources, sumResources } from './resource-arithmetic.ts';
import { resourcesOf } from './resource-list.ts';
import type { Resources } from './resources.ts';

/** What a container asks for: its requests, and its limits where it names no request. */
const containerRequests = ({ resources }: Container): Resources => {
  if (resources === undefined) return {};
  return resourcesOf(resources.limits === undefined ? resources.requests : { ...resources.limits, ...resources.requests });
};

const isSidecar = (container: Container): boolean => container.restartPolicy === 'Always';
const NOTHING: Resources = {};

/** Init containers run one after the other beside the sidecars that were started before them; sidecars stay. */
const withInitContainers = (main: Resources, initContainers: readonly Container[]): Resources => {
  let sidecars = NOTHING;
  let peak = NOTHING;
  for (const container of initContainers) {
    const running = addResources(sidecars, containerRequests(container));
    if (isSidecar(container)) sidecars = running;
    peak = maxResources(peak, running);
  }
  return maxResources(addResources(main, sidecars), peak);
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
  let requests = sumResources(spec.containers.map(containerRequests));
  if (spec.initContainers !== undefined) requests = withInitContainers(requests, spec.initContainers);
  if (spec.resources !== undefined) requests = withPodLevel(requests, spec.resources.requests, spec.resources.limits);
  if (spec.overhead !== undefined) requests = addResources(requests, resourcesOf(spec.overhead));
  return { ...requests, pods: 1 };
};

/** As `requestsOfPodSpec`: cpu in thousandths, memory in bytes, else counts. Throws RangeError on a malformed quantity. */
export const podRequests = (pod: Pod): Resources => requestsOfPodSpec(pod.spec);
