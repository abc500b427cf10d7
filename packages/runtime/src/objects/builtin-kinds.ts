import type { ResourceKind } from './resource-kind.ts';

/** The kind that leader election writes. */
export const leaseKind: ResourceKind = { group: 'coordination.k8s.io', version: 'v1', kind: 'Lease', plural: 'leases', namespaced: true };

/** The kind that the event recorder writes: core/v1, which kubectl describe reads. */
export const eventKind: ResourceKind = { group: '', version: 'v1', kind: 'Event', plural: 'events', namespaced: true };
