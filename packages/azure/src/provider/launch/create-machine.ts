import { CloudProviderError, type CreateOptions, type Machine, type NodeClaim, requirementsOf } from '@karpenter/core';
import type { Clock, Logger } from '@karpenter/runtime';
import { ArmError } from '../../arm/arm-error.ts';
import { type AKSNodeClass, azureAnnotations, azureLabelCatalog, nodeClassHashOf, NODE_CLASS_HASH_VERSION } from '../../apis/index.ts';
import { singleValues } from '../../catalog/index.ts';
import {
  type AcceptedMachine,
  claimNameOfMachine,
  classHashIn,
  classHashTagOf,
  inPlaceHashOf,
  machineNameOf,
  machineOf,
  machineTags,
  type NodeSubnets,
  SCRIPT_EXTENSION,
  selectImage,
  subnetIdsOf,
  type VmFacts,
} from '../../machines/index.ts';
import { nodeImageNameOf } from '../../images/index.ts';
import type { ReservationBook } from '../../reservations/index.ts';
import { type AzureMetrics, launchMetricLabelsOf } from '../azure-metrics.ts';
import { factsOfPurchase, launchTagsOf, wantsUltraSsd } from './launch-source.ts';
import type { MachineLaunch } from './launch-source.ts';
import type { LaunchFollower } from './launch-follower.ts';
import type { LaunchTries } from './launch-tries.ts';
import type { MachineRequest } from './machine-request.ts';
import { type LaunchPlanner, planLaunch } from './launch-plan.ts';
import type { NodeStarter } from './node-starter.ts';
import type { AzureKube } from '../azure-kube.ts';
import { type MachineInventory, withPayingReservation, type SizeCatalog, typesOf } from '../machine-inventory.ts';
import { readNodeClass, usableNodeClass } from '../usable-node-class.ts';

/** Makes the machines of claims. */
export interface Launcher extends LaunchPlanner, Pick<MachineInventory, 'backend'>, Pick<AzureMetrics, 'launchesStarted'> {
  readonly kube: Pick<AzureKube, 'get'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly reservations: ReservationBook;
  readonly subnets: NodeSubnets;
  readonly request: MachineRequest;
  readonly follower: LaunchFollower;
  readonly starter: NodeStarter;
  /** Names of the extensions that machines have. */
  readonly extensions: readonly string[];
  /** Claims that this process has tried to launch, and when it began. */
  readonly tries: LaunchTries;
}

/**
 * What is written to the claim: the machine's labels, the single well-known values of the claim itself, its class
 * hash and its tags. Differs: in the original a machine of an earlier try counts as made by the class of now.
 */
const claimedMachine = (source: SizeCatalog, vm: VmFacts, { claim, nodeClass }: { claim: NodeClaim; nodeClass: AKSNodeClass }): Machine => {
  const type = typesOf(source, nodeClass).find(({ name }) => name === vm.size);
  const machine = machineOf(vm, type, source.options);
  const wanted = singleValues(requirementsOf(claim.spec.requirements, azureLabelCatalog));
  const wellKnown = Object.fromEntries(Object.entries(wanted).filter(([key]) => azureLabelCatalog.wellKnown.has(key)));
  const isOfPool = vm.aksMachineId !== undefined;
  const madeBy = classHashIn(vm.tags) ?? { hash: nodeClassHashOf(nodeClass), version: NODE_CLASS_HASH_VERSION };
  const annotations = {
    [azureAnnotations.nodeClassHash]: madeBy.hash,
    [azureAnnotations.nodeClassHashVersion]: madeBy.version,
    [azureAnnotations.inPlaceUpdateHash]: inPlaceHashOf({ tags: vm.tags, identityIds: isOfPool ? [] : source.options.nodeIdentities }),
    ...(isOfPool && { [azureAnnotations.aksMachineId]: vm.aksMachineId }),
    ...(vm.subnetId !== undefined && { [azureAnnotations.subnet]: vm.subnetId }),
    ...(vm.refusedImage !== undefined && { [azureAnnotations.refusedImage]: vm.refusedImage }),
  };
  return { ...machine, labels: { ...wellKnown, ...machine.labels }, annotations };
};

const followMachine = ({ follower }: Pick<Launcher, 'follower'>, vm: VmFacts): void => {
  const claimName = claimNameOfMachine(vm.name);
  if (claimName !== undefined) follower.follow(claimName, vm);
};

/** The error for core of a machine that an earlier try made; blocks offerings like any other failure. */
const failureOf = async (
  { backend, follower }: Pick<Launcher, 'backend' | 'follower'>,
  vm: VmFacts,
  signal: AbortSignal,
): Promise<Error | undefined> => {
  try {
    await backend.made(vm.name, signal);
    return undefined;
  } catch (error) {
    const judged = follower.judge(error, vm, 'async');
    if (judged === undefined) throw error;
    return judged;
  }
};

type Adopter = Pick<Launcher, 'backend' | 'follower' | 'extensions' | 'reservations'>;

/** Takes up the machine that an earlier try made, unchanged. */
const adopt = async (context: Adopter, vm: VmFacts, signal: AbortSignal): Promise<VmFacts> => {
  const retry = (why: string): CloudProviderError =>
    new CloudProviderError('launch-failed', `VM ${vm.name} ${why}`, { reason: 'CreateInstanceFailed' });
  if (vm.provisioningState === 'Deleting') throw retry('of an earlier try is still being deleted');
  if (vm.provisioningState === 'Failed') {
    const failure = await failureOf(context, vm, signal);
    await context.backend.remove(vm.name, signal);
    throw failure ?? retry('of an earlier try has failed and is deleted');
  }
  if (vm.provisioningState !== 'Succeeded' || context.extensions.includes(SCRIPT_EXTENSION)) followMachine(context, vm);
  if (vm.reservation !== undefined) context.reservations.take(vm.name, vm.reservation.id);
  return vm;
};

/** The machine as requested: does not wait for ARM's view of it. */
const orderedVm = ({ options, clock }: Pick<Launcher, 'options' | 'clock'>, launch: MachineLaunch): VmFacts => {
  const { claim, choice, usable, requirements } = launch;
  return {
    ...factsOfPurchase(launch),
    name: machineNameOf(claim.metadata.name),
    imageId: selectImage(usable.images, choice.type)?.id,
    hasUltraSsd: wantsUltraSsd(requirements),
    ...(subnetIdsOf(usable.nodeClass, options).length > 1 && { subnetId: launch.subnetId }),
    tags: { ...launchTagsOf({ options, nodeClass: usable.nodeClass, claim }), ...classHashTagOf(usable.nodeClass) },
    provisioningState: 'Creating',
    createdAt: new Date(clock.now()).toISOString(),
  };
};

/** The machine that an earlier try has made. In an agent pool a name may have been taken by somebody else. */
const existingOf = async (
  context: Pick<Launcher, 'backend' | 'reservations'>,
  claim: NodeClaim,
  signal: AbortSignal,
): Promise<VmFacts | undefined> => {
  const claimName = claim.metadata.name;
  const found = await context.backend.find(machineNameOf(claimName), signal);
  const vm = found && withPayingReservation(context, found);
  if (vm?.aksMachineId === undefined || vm.tags[machineTags.claim] === claimName) return vm;
  const why = `machine ${vm.aksMachineId} has the name of this claim and is not its own`;
  throw new CloudProviderError('launch-failed', why, { reason: 'CreateInstanceFailed' });
};

/** The name of the requested image if AKS used another: at some api-versions AKS always uses the newest. */
const refusedImageOf = (
  { logger }: Pick<Launcher, 'logger'>,
  askedId: string | undefined,
  took: string | undefined,
): string | undefined => {
  const asked = askedId === undefined ? undefined : nodeImageNameOf(askedId);
  if (asked === undefined || took === undefined || asked === took) return undefined;
  logger.warn('AKS has not used the requested image of a machine', { asked, took });
  return asked;
};

type Requester = Pick<Launcher, 'request' | 'reservations'>;

/** Requests the machine. Its place in a reservation is kept meanwhile, and counts in plans once it is accepted. */
const requestMachine = async (requester: Requester, launch: MachineLaunch, signal: AbortSignal): Promise<AcceptedMachine | 'exists'> => {
  const name = machineNameOf(launch.claim.metadata.name);
  const { reservations } = requester;
  if (launch.reservation !== undefined) reservations.hold(name, launch.reservation.id);
  try {
    const accepted = await requester.request(launch, signal);
    if (accepted !== 'exists' && launch.reservation !== undefined) reservations.take(name, launch.reservation.id);
    return accepted;
  } finally {
    reservations.letGo(name);
  }
};

/** Throttled by Azure or by our queue: nothing was created. */
const isThrottled = (error: unknown): boolean => error instanceof ArmError && error.code === 'throttled';

const launchNew = async (context: Launcher, launch: MachineLaunch, signal: AbortSignal): Promise<VmFacts> => {
  const vm = orderedVm(context, launch);
  context.launchesStarted.increment(launchMetricLabelsOf(vm));
  try {
    const accepted = await requestMachine(context, launch, signal);
    if (accepted !== 'exists') {
      context.subnets.accepted(vm.name);
      followMachine(context, vm);
      return { ...vm, ...accepted, refusedImage: refusedImageOf(context, vm.imageId, accepted.imageId) };
    }
  } catch (error) {
    context.starter.forget(vm.name);
    if (isThrottled(error)) context.tries.forget(launch.claim.metadata.name);
    throw context.follower.judge(error, vm, 'sync') ?? error;
  }
  const existing = await existingOf(context, launch.claim, signal);
  if (existing !== undefined) return adopt(context, existing, signal);
  throw new CloudProviderError('launch-failed', `VM ${vm.name} came and went`, { reason: 'CreateInstanceFailed' });
};

/**
 * Makes the machine of a claim, or takes up the one there is: claims name their machines, so that no claim ever has
 * two. Returns when ARM has accepted it; the rest is followed in the background.
 */
export const createMachine = async (context: Launcher, claim: NodeClaim, options: CreateOptions): Promise<Machine> => {
  const { signal, asPlanned } = options;
  const className = claim.spec.nodeClassRef.name;
  const usable = usableNodeClass(await readNodeClass(context.kube, className, signal), className);
  const isFirst = context.tries.isFirst(claim);
  const existing = isFirst ? undefined : await existingOf(context, claim, signal);
  const vm =
    existing === undefined
      ? await launchNew(context, await planLaunch(context, claim, { usable, asPlanned, signal }), signal)
      : await adopt(context, existing, signal);
  return claimedMachine(context, vm, { claim, nodeClass: usable.nodeClass });
};
