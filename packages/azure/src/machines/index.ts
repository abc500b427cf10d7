export type { AksMachine, AksMachineBody } from '../arm/aks-machines/aks-machine.ts';
export { aksMachineBackend, type AksMachineOrder } from './aks/aks-machine-backend.ts';
export { aksMachineBodyOf } from './aks/aks-machine-body.ts';
export type { AksMachineScope } from './aks/aks-machine-facts.ts';
export { aksMachineNameIn } from './aks/aks-machine-name.ts';
export { type AksMachines, aksMachines } from './aks/aks-machines.ts';
export {
  type AcceptedMachine,
  joinedStock,
  type LaunchOrder,
  type MachineBackend,
  type MachineStock,
  vmBackend,
} from './machine-backend.ts';
export { BILLING_EXTENSION, billingExtensionOf, SCRIPT_EXTENSION, scriptExtensionOf } from './vm-extensions.ts';
export { classHashIn, classHashTagOf, isTaggedAsOfPool, machineTags, machineTagsOf } from './machine-tags.ts';
export { cheapestSpotSizes, chooseOffering, type OfferingChoice, selectImage, type Wanted } from './offering-choice.ts';
export { changedTags, inPlaceChangeOf } from './in-place-change.ts';
export { type InPlaceGoal, inPlaceHashOf } from './in-place-hash.ts';
export { type MachineList, machineList } from './machine-list.ts';
export { claimNameOfMachine, machineNameFor, machineNameIn, machineNameOf, nicIdOf } from './machine-names.ts';
export type { BackendPools } from './load-balancer-pools.ts';
export { machineLabelsOf, machineOf } from './machine-of.ts';
export { isClusterSecurityGroup, type NetworkFacts, NetworkFactsError, networkFacts, type SecurityGroup } from './network-facts.ts';
export { NodeSubnets, nodeAddressesOf, subnetIdsOf } from './node-subnets.ts';
export { nicBodyOf } from './nic-body.ts';
export { SCORED_SIZES, SpotScores } from './spot-scores.ts';
export { vmBodyOf } from './vm-body.ts';
export { asReserved, type VmFacts, vmFactsOfVm } from './vm-facts.ts';
