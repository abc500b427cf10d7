import type { ResourceList } from '@karpenter/core';
import type { Container, WorkloadPodSpec } from '../objects/pod.ts';
import type { Amounts } from './amounts.ts';
import { amountsOf, largerOf, sumOf } from './amounts.ts';

/** A limit without a request is a request too. Source: the defaults of core/v1. */
const requestsOf = ({ requests, limits }: { readonly requests?: ResourceList; readonly limits?: ResourceList } = {}): Amounts =>
  amountsOf({ ...limits, ...requests });

const ofContainer = (container: Container): Amounts => requestsOf(container.resources);

/** The most that starting up needs at any time, and what its sidecars keep. */
const startUp = (initContainers: readonly Container[]): { readonly peak: Amounts; readonly sidecars: Amounts } => {
  let peak: Amounts = {};
  let sidecars: Amounts = {};
  for (const container of initContainers) {
    const requests = ofContainer(container);
    if (container.restartPolicy === 'Always') sidecars = sumOf(sidecars, requests);
    peak = largerOf(peak, container.restartPolicy === 'Always' ? sidecars : sumOf(sidecars, requests));
  }
  return { peak, sidecars };
};

/**
 * What a pod takes of its node, itself (`pods: 1`) included.
 *
 * Source: kubernetes.io, "Init Containers" (resource sharing), "Sidecar Containers", "Pod-level resources", "Pod Overhead".
 */
export const effectiveRequests = (spec: WorkloadPodSpec): Amounts => {
  const { peak, sidecars } = startUp(spec.initContainers ?? []);
  const running = spec.containers.map(ofContainer).reduce(sumOf, sidecars);
  const ofPod = requestsOf(spec.resources);
  const requests = sumOf({ ...largerOf(running, peak), ...ofPod }, amountsOf(spec.overhead));
  return { ...requests, pods: 1 };
};
