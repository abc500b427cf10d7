export type { ApiProgramOptions, ApiPrograms } from './api-programs.ts';
export { type ControlPlaneProgramOptions, type ControlPlanePrograms, startControlPlanePrograms } from './control-plane-programs.ts';
export { eventually } from './eventually.ts';
export { freePort } from './free-port.ts';
export { type Flags, type Program, type ProgramFiles, startProgram } from './program.ts';
