export type { ApiProgramOptions, ApiPrograms } from './api-programs.ts';
export { type ControlPlanePrograms, startControlPlanePrograms } from './control-plane-programs.ts';
export { freePort } from './free-port.ts';
export { type RealCluster, type RealClusterOptions, startRealCluster } from './start-real-cluster.ts';
export { crdKind, installCrds } from './install-crds.ts';
export { type Flags, type Program, type ProgramFiles, startProgram } from './program.ts';
