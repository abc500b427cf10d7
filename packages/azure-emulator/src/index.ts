export type { ArmAccount } from './account.ts';
export type { ArmEmulator } from './arm-emulator.ts';
export { ArmEmulatorError, type ArmEmulatorErrorCode } from './arm-emulator-error.ts';
export {
  type ArmBehaviours,
  ARTIFACT_STREAMING_FEATURE,
  ENCRYPTION_AT_HOST_FEATURE,
  EVERY_BEHAVIOUR,
  type NetworkWrites,
  NO_BEHAVIOURS,
} from './behaviours.ts';
export type { AppliedSettings } from './bootstrap/applied-settings.ts';
export { BootstrapError, type BootstrapErrorCode } from './bootstrap/bootstrap-error.ts';
export { type BootstrapTaint, awaitsCommand, decodeBootstrap, decodeCommand, type NodeBootstrap } from './bootstrap/decode-bootstrap.ts';
export type { CapacityReservationName, ReservationOrder, ReservedCapacity } from './compute/reservations/capacity-reservations.ts';
export { EVERYDAY_SIZES } from './compute/sizes/everyday-sizes.ts';
export type { OfferedSizes } from './compute/sizes/sku-catalog.ts';
export type { DiskRecord } from './compute/disks/disk-record.ts';
export type { ImageVersion, ImageVersions } from './compute/images/image-versions.ts';
export type { VmCapacityType, VmProvisioningState, VmEvent, VmRecord } from './compute/vms/vm-record.ts';
export type { AzureEnvironmentFile } from './environment-file.ts';
export { type ArmErrorBody, type ArmRefusal, refusal } from './faults/arm-error.ts';
export type { ArmFaults } from './faults/arm-faults.ts';
export type { ArmFaultEffect, FaultMatch, FaultRule, FaultSubject } from './faults/fault.ts';
export { knownRefusals, type QuotaFigures } from './faults/known-refusals.ts';
export type { NicRecord } from './network/nic-record.ts';
export { type ArmEmulatorOptions, type ArmLatencies, type ArmQuotas, DEFAULT_LATENCIES, UNKIND_AZURE } from './options.ts';
export { type ArmCertificates, createArmCertificates } from './serve/certificates.ts';
export type { LoggedRequest, RequestLog } from './serve/request-log.ts';
export type { AccessRules, AccessDenial } from './subscription/access-rules.ts';
export { startArmEmulator } from './start-arm-emulator.ts';
