export type { EmbeddedCluster, EmbeddedClusterOptions } from './assembly/embedded-cluster.ts';
export { startEmbeddedCluster } from './assembly/start-embedded-cluster.ts';
export type { FailedBootstrap } from './assembly/join-azure.ts';
export type { SystemPool } from './assembly/system-pool.ts';
export { scaledClock } from './clock/scaled-clock.ts';
export { type ControlPlaneOptions, startControlPlane } from './control-plane.ts';
export { createKubeletHost, type KubeletHost, type KubeletHostOptions } from './kubelet/kubelet-host.ts';
export { DEFAULT_KUBELET_DELAYS, type KubeletDelays, type KubeletNode, podAnnotations } from './kubelet/machine.ts';
export type { CloudMachine, CloudView } from './nodes/cloud-view.ts';
