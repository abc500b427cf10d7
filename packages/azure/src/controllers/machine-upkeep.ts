import type { VirtualMachine } from '@azure/arm-compute';
import { isConditionTrue, type NodeClaim, nodeClaimConditions } from '@karpenter/core';
import { requeueAfter, type SingletonController } from '@karpenter/core/controllers';
import type { ArmApi } from '../arm/arm-api.ts';
import type { InstanceTypeCatalog } from '../catalog/index.ts';
import { BILLING_EXTENSION, machineNameOf, machineTags, SCRIPT_EXTENSION, vmFactsOfVm } from '../machines/index.ts';
import type { AzureKube } from '../provider/azure-kube.ts';
import type { CompleteMachine } from '../provider/complete-machine.ts';
import { launchAttemptOf } from '../provider/launch-attempt.ts';
import type { LaunchFollower } from '../provider/launch-follower.ts';

export interface UpkeepDeps {
  readonly kube: Pick<AzureKube, 'list'>;
  readonly arm: Pick<ArmApi, 'listVms'>;
  readonly catalog: Pick<InstanceTypeCatalog, 'skus'>;
  readonly follower: Pick<LaunchFollower, 'follow'>;
  readonly complete: CompleteMachine;
  /** Names of the extensions that machines have. */
  readonly extensions: readonly string[];
  readonly options: { readonly location: string; readonly clusterName: string };
}

const EVERY_MS = 300_000;

/** The state of a machine's extension; undefined when it has none of the name. */
const stateOf = ({ resources = [] }: VirtualMachine, extension: string): string | undefined => {
  const found = resources.find(({ name, id }) => (name ?? id ?? '').toLowerCase().endsWith(extension.toLowerCase()));
  return found && (found.provisioningState ?? '');
};

/** Whether the machine has all that makes it a node: what is left to do is then the node's. */
const isComplete = ({ extensions }: UpkeepDeps, vm: VirtualMachine): boolean =>
  vm.provisioningState === 'Succeeded' && (!extensions.includes(SCRIPT_EXTENSION) || stateOf(vm, SCRIPT_EXTENSION) === 'Succeeded');

/** Gives one machine what it needs now. A node that is there outlives a failure of its extensions. */
const keepUp = async (deps: UpkeepDeps, { vm, claim }: { vm: VirtualMachine; claim: NodeClaim }, signal: AbortSignal): Promise<void> => {
  const { location } = deps.options;
  const facts = vmFactsOfVm(vm, location);
  const hasJoined = isConditionTrue(claim.status?.conditions, nodeClaimConditions.registered);
  if (!hasJoined && !isComplete(deps, vm)) {
    const attempt = launchAttemptOf(deps.catalog, location, facts);
    deps.follower.follow({ claimName: claim.metadata.name, attempt, tags: facts.tags });
  } else if (
    vm.provisioningState === 'Succeeded' &&
    deps.extensions.includes(BILLING_EXTENSION) &&
    stateOf(vm, BILLING_EXTENSION) === undefined
  ) {
    await deps.complete(facts, signal);
  }
};

/**
 * Takes up what a controller before this one left half done: machines that were accepted are followed, those that failed meanwhile end their
 * claim at once, those without their extension get it. Runs first at the start, then to catch what slipped through.
 * Differs: the original waits for the registration deadline of the claim.
 */
export const machineUpkeep = (deps: UpkeepDeps): SingletonController => ({
  name: 'instance.upkeep',
  async reconcile({ signal }) {
    const vms = await deps.arm.listVms(signal);
    const { items } = await deps.kube.list<NodeClaim>('NodeClaim', { signal });
    const claims = new Map(items.map((claim) => [machineNameOf(claim.metadata.name).toLowerCase(), claim]));
    for (const vm of vms) {
      const claim = claims.get((vm.name ?? '').toLowerCase());
      if (claim !== undefined && vm.tags?.[machineTags.cluster] === deps.options.clusterName) await keepUp(deps, { vm, claim }, signal);
    }
    return requeueAfter(EVERY_MS);
  },
});
