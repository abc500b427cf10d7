import type { ResourceList } from '../object-meta.ts';
import type { Container, Pod, PodSpec } from './pod.ts';
import { resizedSpec } from './resized-spec.ts';
import { addResources, maxResources, sumResources } from '../resources/resource-arithmetic.ts';
import { resourcesOf } from '../resources/resource-list.ts';
import type { Resources } from '../resources/resources.ts';

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
