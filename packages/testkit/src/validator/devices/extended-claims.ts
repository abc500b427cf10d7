import type { ClusterSnapshot } from '@karpenter/core';
import type { PodSpec, ResourceClaimSpec } from '@karpenter/core/internal';
import { classBehind, extendedResourceClaim, extendedResourcesIn } from '@karpenter/simulator';
import type { FloatAmounts } from '../amounts.ts';

/** What a machine has of its own, device plugins included: resource → amount. */
export type Provided = Readonly<Record<string, number>>;

/**
 * The class whose devices stand for a resource on a machine; undefined where none does, or the machine has the resource
 * itself.
 */
const classFor = (resource: string, provided: Provided, { devices }: ClusterSnapshot): string | undefined =>
  devices === undefined || (provided[resource] ?? 0) > 0 ? undefined : classBehind(resource, devices.classes);

/** The claim that kube-scheduler makes on the machine for what a pod requests; undefined where it makes none. */
export const extendedClaimOn = (spec: PodSpec, provided: Provided, snapshot: ClusterSnapshot): ResourceClaimSpec | undefined => {
  const claim = extendedResourceClaim(spec, (resource) => classFor(resource, provided, snapshot));
  return claim && { devices: { requests: claim.requests } };
};

/** Whether the pod requests a resource that some class stands for. */
export const requestsDevices = (spec: PodSpec, snapshot: ClusterSnapshot): boolean =>
  extendedResourcesIn(spec).some((resource) => classFor(resource, {}, snapshot) !== undefined);

/** The amounts without resources that the machine meets with devices. */
export const withoutDevices = (amounts: FloatAmounts, provided: Provided, snapshot: ClusterSnapshot): FloatAmounts =>
  snapshot.devices === undefined
    ? amounts
    : new Map([...amounts].filter(([resource]) => !resource.includes('/') || classFor(resource, provided, snapshot) === undefined));
