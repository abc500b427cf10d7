import { isConditionTrue, type NodeClaim, nodeClaimConditions } from '@karpenter/core';
import { type Controller, requeueAfter, settled } from '@karpenter/core/controllers';
import { type AKSNodeClass, azureAnnotations } from '../apis/index.ts';
import type { ArmApi } from '../arm/arm-api.ts';
import { ArmError } from '../arm/arm-error.ts';
import { BILLING_EXTENSION, inPlaceChangeOf, type InPlaceGoal, inPlaceHashOf, machineNameOf } from '../machines/index.ts';
import type { AzureOptions } from '../options/index.ts';
import type { AzureKube } from '../provider/azure-kube.ts';
import { launchTagsOf } from '../provider/launch-order.ts';

export interface InPlaceUpdateDeps {
  readonly kube: Pick<AzureKube, 'list' | 'patch'>;
  readonly arm: Pick<ArmApi, 'getVm' | 'updateVm' | 'tagNic' | 'tagExtension'>;
  readonly options: AzureOptions;
  readonly hasBillingExtension: boolean;
}

/** How long a claim is given to register before it is looked at again. */
const WAIT_MS = 60_000;

interface Stale {
  readonly claim: NodeClaim;
  readonly goal: InPlaceGoal;
}

const staleOf = (claim: NodeClaim, nodeClass: AKSNodeClass, options: AzureOptions): readonly Stale[] => {
  if (claim.spec.nodeClassRef.name !== nodeClass.metadata.name || claim.metadata.deletionTimestamp !== undefined) return [];
  const goal = { tags: launchTagsOf({ options, nodeClass, claim }), identityIds: options.nodeIdentities };
  return claim.metadata.annotations?.[azureAnnotations.inPlaceUpdateHash] === inPlaceHashOf(goal) ? [] : [{ claim, goal }];
};

const isThere = ({ claim }: Stale): boolean =>
  claim.status?.providerID !== undefined && isConditionTrue(claim.status.conditions, nodeClaimConditions.registered);

/** The machine last: while it is not done, the hash is not written, and all of it is done again. */
const bring = async (deps: InPlaceUpdateDeps, { claim, goal }: Stale, signal: AbortSignal): Promise<void> => {
  const { arm, kube } = deps;
  const name = machineNameOf(claim.metadata.name);
  const vm = await arm.getVm(name, signal);
  if (vm === undefined || vm.provisioningState === 'Deleting') return;
  await arm.tagNic(name, goal.tags, signal);
  if (deps.hasBillingExtension) await arm.tagExtension(name, { name: BILLING_EXTENSION, tags: goal.tags }, signal);
  await arm.updateVm(name, inPlaceChangeOf(vm, goal), signal);
  const body = { metadata: { annotations: { [azureAnnotations.inPlaceUpdateHash]: inPlaceHashOf(goal) } } };
  await kube.patch('NodeClaim', { name: claim.metadata.name }, { type: 'merge', body, signal });
};

/**
 * Brings running machines to the tags of their class and the identities of the options. One that Azure refuses for now does not keep the
 * others from theirs; it is tried again.
 */
export const inPlaceUpdate = (deps: InPlaceUpdateDeps): Controller<AKSNodeClass> => ({
  name: 'nodeclaim.inplaceupdate',
  kind: 'AKSNodeClass',
  async reconcile(nodeClass, { signal }) {
    if (nodeClass.metadata.deletionTimestamp !== undefined) return settled;
    const { items } = await deps.kube.list<NodeClaim>('NodeClaim', { signal });
    const stale = items.flatMap((claim) => staleOf(claim, nodeClass, deps.options));
    const failures: ArmError[] = [];
    for (const each of stale.filter(isThere)) {
      try {
        await bring(deps, each, signal);
      } catch (error) {
        if (!(error instanceof ArmError) || error.code !== 'refused') throw error;
        failures.push(error);
      }
    }
    const [failure] = failures;
    if (failure !== undefined) throw failure;
    return stale.every(isThere) ? settled : requeueAfter(WAIT_MS);
  },
});
