export { freePort } from './free-port.ts';
export { type RealCluster, type RealClusterOptions, startRealCluster } from './start-real-cluster.ts';
