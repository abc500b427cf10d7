export { ClusterState, type ClusterStateOptions, machineKeyOf } from './cluster-state.ts';
export * from './ephemeral-taints.ts';
export type { MachineKey } from './machine-index.ts';
export * from './node-pool-conditions.ts';
export * from './planned-pods.ts';
export { podId } from './pod-index.ts';
export * from './pod-projection.ts';
export type { PodTransition } from './pod-transitions.ts';
export * from './stages.ts';
