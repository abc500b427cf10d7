export * from './cloud-announcements.ts';
export * from './cloud-faults.ts';
export * from './create-simulated-cloud-provider.ts';
export { defaultInstanceTypes } from './default-instance-types.ts';
export { startNodeClassReadiness } from './node-class-readiness.ts';
export { simulatedFailures } from './simulated-failures.ts';
export { simulatedInPlaceUpdate } from './simulated-in-place-update.ts';
export { catalogEntry, type SimulatedInstanceType } from './simulated-instance-type.ts';
export { SIMULATED_NODE_CLASS_CRD, type SimulatedNodeClass, simulatedNodeClassKind } from './simulated-node-class.ts';
