export { type RealCluster, type RealClusterOptions, startRealCluster } from './start-real-cluster.ts';
export { crdKind, installCrds } from './install-crds.ts';
