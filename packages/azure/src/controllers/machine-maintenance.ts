import type { VirtualMachine } from '@azure/arm-compute';
import { isConditionTrue, type NodeClaim, nodeClaimConditions } from '@karpenter/core';
import { type Clock, requeueAfter, type SingletonController } from '@karpenter/runtime';
import type { ArmApi } from '../arm/arm-api.ts';
import { type AksMachines, BILLING_EXTENSION, machineNameOf, machineTags, SCRIPT_EXTENSION, vmFactsOfVm } from '../machines/index.ts';
import type { AzureKube } from '../provider/azure-kube.ts';
import type { CompleteMachine } from '../provider/launch/machine-completion.ts';
import type { LaunchFollower } from '../provider/launch/launch-follower.ts';
import { withPayingReservation } from '../provider/machine-inventory.ts';
import type { ReservationBook } from '../reservations/index.ts';

export interface MaintenanceDeps {
  readonly kube: Pick<AzureKube, 'list'>;
  readonly arm: Pick<ArmApi, 'listVms' | 'extensionState'>;
  /** Absent: there is no agent pool. */
  readonly aksMachines: Pick<AksMachines, 'list'> | undefined;
  readonly reservations: Pick<ReservationBook, 'behind'>;
  readonly follower: Pick<LaunchFollower, 'follow'>;
  readonly complete: CompleteMachine;
  readonly clock: Pick<Clock, 'now'>;
  /** Names of the extensions that machines have. */
  readonly extensions: readonly string[];
  readonly options: { readonly location: string; readonly clusterName: string };
}

const EVERY_MS = 300_000;

/** Lists of machines name extensions by their ids. */
const hasExtension = ({ resources = [] }: VirtualMachine, extension: string): boolean =>
  resources.some(({ id = '' }) => id.toLowerCase().endsWith(`/${extension.toLowerCase()}`));

/** Whether the machine has all that makes it a node: what is left to do is then the node's. */
const isComplete = async (
  { arm, extensions }: Pick<MaintenanceDeps, 'arm' | 'extensions'>,
  vm: VirtualMachine,
  signal: AbortSignal,
): Promise<boolean> => {
  if (vm.provisioningState !== 'Succeeded') return false;
  if (!extensions.includes(SCRIPT_EXTENSION)) return true;
  return hasExtension(vm, SCRIPT_EXTENSION) && (await arm.extensionState(vm.name ?? '', SCRIPT_EXTENSION, signal)) === 'Succeeded';
};

const hasJoined = ({ status }: NodeClaim): boolean => isConditionTrue(status?.conditions, nodeClaimConditions.registered);

/** Gives one machine what it needs now. A node that is there outlives a failure of its extensions. */
const maintain = async (
  deps: MaintenanceDeps,
  { vm, claim }: { vm: VirtualMachine; claim: NodeClaim },
  signal: AbortSignal,
): Promise<void> => {
  const { location } = deps.options;
  const facts = withPayingReservation(deps, vmFactsOfVm(vm, location));
  if (!hasJoined(claim) && !(await isComplete(deps, vm, signal))) {
    deps.follower.follow(claim.metadata.name, facts);
  } else if (vm.provisioningState === 'Succeeded' && deps.extensions.includes(BILLING_EXTENSION) && !hasExtension(vm, BILLING_EXTENSION)) {
    await deps.complete(facts, signal);
  }
};

/** Follows machines of the agent pool that have not come yet. `claims`: by the names of their machines, in lower case. */
const followPool = async (
  { aksMachines, follower }: Pick<MaintenanceDeps, 'aksMachines' | 'follower'>,
  claims: ReadonlyMap<string, NodeClaim>,
  signal: AbortSignal,
): Promise<void> => {
  for (const facts of (await aksMachines?.list(signal)) ?? []) {
    const claim = claims.get(facts.name.toLowerCase());
    if (claim !== undefined && facts.provisioningState !== 'Succeeded' && !hasJoined(claim)) {
      follower.follow(claim.metadata.name, facts);
    }
  }
};

/**
 * Completes what an earlier controller left unfinished. It follows accepted machines, ends the claims of machines that
 * failed meanwhile, and installs missing extensions. Runs at the start, then periodically for machines that were
 * missed. A pass lasts at most one period: the next one reads again. Differs: the original waits for the registration
 * deadline of the claim.
 */
export const machineMaintenance = (deps: MaintenanceDeps): SingletonController => ({
  name: 'instance.maintenance',
  async reconcile({ signal }) {
    const endMs = deps.clock.now() + EVERY_MS;
    const vms = await deps.arm.listVms(signal);
    const { items } = await deps.kube.list<NodeClaim>('NodeClaim', { signal });
    const claims = new Map(items.map((claim) => [machineNameOf(claim.metadata.name).toLowerCase(), claim]));
    for (const vm of vms) {
      if (deps.clock.now() >= endMs) break;
      const claim = claims.get((vm.name ?? '').toLowerCase());
      if (claim !== undefined && vm.tags?.[machineTags.cluster] === deps.options.clusterName) await maintain(deps, { vm, claim }, signal);
    }
    await followPool(deps, claims, signal);
    return requeueAfter(EVERY_MS);
  },
});
