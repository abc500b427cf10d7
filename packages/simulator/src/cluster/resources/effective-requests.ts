import type { ResourceList } from '@karpenter/core/internal';
import type { Container, KubeletContainerStatus, PodObject } from '../objects/pod.ts';
import type { ResourceAmounts } from './amounts.ts';
import { amountsOf, largerOf, sumOf } from './amounts.ts';

/** A limit without a request is a request too. Source: the defaults of core/v1. */
const requestsOf = ({ requests, limits }: { readonly requests?: ResourceList; readonly limits?: ResourceList } = {}): ResourceAmounts =>
  amountsOf({ ...limits, ...requests });

type Sized = Pick<PodObject, 'spec' | 'status'>;

/** What the kubelet has granted, and what runs: absent where it reports nothing. */
type Granted = Pick<KubeletContainerStatus, 'resources' | 'allocatedResources'>;

const isInfeasible = ({ status }: Sized): boolean =>
  status?.conditions?.find(({ type }) => type === 'PodResizePending')?.reason === 'Infeasible';

/** While a pod is resized, the most of what it asks for, was granted and runs with. */
const whileResized = (asked: ResourceAmounts, { resources, allocatedResources }: Granted, pod: Sized): ResourceAmounts => {
  if (resources === undefined) return asked;
  const granted = largerOf(amountsOf(resources.requests), amountsOf(allocatedResources));
  return isInfeasible(pod) ? granted : largerOf(asked, granted);
};

/** Container → what it takes; `statuses` are those of its sort. */
const takenBy =
  (pod: Sized, statuses: readonly KubeletContainerStatus[] = []) =>
  (container: Container): ResourceAmounts =>
    whileResized(requestsOf(container.resources), statuses.find(({ name }) => name === container.name) ?? {}, pod);

const ofPodLevel = (pod: Sized): ResourceAmounts => {
  const asked = requestsOf(pod.spec.resources);
  const taken = whileResized(amountsOf(pod.spec.resources?.requests), pod.status ?? {}, pod);
  return Object.fromEntries(Object.entries(asked).map(([name, amount]) => [name, taken[name] ?? amount]));
};

/** The most that starting up needs at any time, and what its sidecars keep. */
const startUp = (pod: Sized): { readonly peak: ResourceAmounts; readonly sidecars: ResourceAmounts } => {
  let peak: ResourceAmounts = {};
  let sidecars: ResourceAmounts = {};
  const sidecarRequests = takenBy(pod, pod.status?.initContainerStatuses);
  for (const container of pod.spec.initContainers ?? []) {
    const requests = container.restartPolicy === 'Always' ? sidecarRequests(container) : requestsOf(container.resources);
    if (container.restartPolicy === 'Always') sidecars = sumOf(sidecars, requests);
    peak = largerOf(peak, container.restartPolicy === 'Always' ? sidecars : sumOf(sidecars, requests));
  }
  return { peak, sidecars };
};

/**
 * What a pod takes of its node, itself (`pods: 1`) included.
 *
 * Source: kubernetes.io, "Init Containers" (resource sharing), "Sidecar Containers", "Pod-level resources", "Pod
 * Overhead", "Resize CPU and Memory Resources".
 */
export const effectiveRequests = (pod: Sized): ResourceAmounts => {
  const { spec } = pod;
  const { peak, sidecars } = startUp(pod);
  const running = spec.containers.map(takenBy(pod, pod.status?.containerStatuses)).reduce(sumOf, sidecars);
  const ofPod = ofPodLevel(pod);
  const requests = sumOf({ ...largerOf(running, peak), ...ofPod }, amountsOf(spec.overhead));
  return { ...requests, pods: 1 };
};
