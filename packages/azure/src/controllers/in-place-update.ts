import type { Gauge } from '@karpenter/core/controllers';
import { inPlaceUpdating } from '@karpenter/core/provider-kit';
import type { Controller, Logger } from '@karpenter/runtime';
import { type AKSNodeClass, azureAnnotations } from '../apis/index.ts';
import type { ArmApi } from '../arm/arm-api.ts';
import { ArmError } from '../arm/arm-error.ts';
import { type AksMachines, changedTags, inPlaceChangeOf, type InPlaceGoal, inPlaceHashOf, machineNameFor } from '../machines/index.ts';
import type { AzureOptions } from '../options/index.ts';
import { aksNodeClassKind, type AzureKube } from '../provider/azure-kube.ts';
import { isOfAgentPool } from '../provider/drift.ts';
import { launchTagsOf } from '../provider/launch/launch-source.ts';

export interface InPlaceUpdateDeps {
  readonly kube: Pick<AzureKube, 'list' | 'patch'>;
  readonly arm: Pick<ArmApi, 'getVm' | 'updateVm' | 'getNic' | 'tagNic' | 'getExtension' | 'tagExtension'>;
  /** Absent: there is no agent pool. */
  readonly aksMachines: Pick<AksMachines, 'tag'> | undefined;
  readonly options: AzureOptions;
  readonly logger: Pick<Logger, 'info'>;
  readonly updatesLeft: Gauge;
  /** Names of the extensions that machines have. */
  readonly extensions: readonly string[];
}

type TagCalls = InPlaceUpdateDeps['arm'];

/** A machine, and the tags that its parts are to have. */
interface Tagging {
  readonly name: string;
  readonly tags: InPlaceGoal['tags'];
}

const tagNicOf = async (arm: TagCalls, { name, tags }: Tagging, signal: AbortSignal): Promise<void> => {
  const nic = await arm.getNic(name, signal);
  const changed = nic && changedTags(nic.tags, tags);
  if (changed !== undefined) await arm.tagNic(name, changed, signal);
};

/**
 * An extension that has its tags is written again only while it is not done: Azure refuses a write of its machine
 * meanwhile.
 */
const tagExtensionOf = async (
  arm: TagCalls,
  { name, extension, tags }: Tagging & { readonly extension: string },
  signal: AbortSignal,
): Promise<void> => {
  const has = await arm.getExtension(name, extension, signal);
  if (has === undefined) return;
  const changed = changedTags(has.tags, tags);
  if (changed === undefined && has.provisioningState === 'Succeeded') return;
  await arm.tagExtension(name, { name: extension, tags: changed ?? tags }, signal);
};

type MachineUpdate = Parameters<typeof inPlaceUpdating<AKSNodeClass, InPlaceGoal>>[0]['update'];

/** The tags of the class, and the identities of the options. */
const machineUpdate = ({ arm, aksMachines, options, extensions }: InPlaceUpdateDeps): MachineUpdate => ({
  goalOf: (claim, nodeClass) => ({
    tags: launchTagsOf({ options, nodeClass, claim }, isOfAgentPool(claim)),
    identityIds: isOfAgentPool(claim) ? [] : options.nodeIdentities,
  }),
  hashOf: inPlaceHashOf,
  bring: async (claim, goal, { signal }) => {
    const name = machineNameFor(claim);
    if (isOfAgentPool(claim)) return (await aksMachines?.tag(name, goal.tags, signal)) === 'tagged' ? 'brought' : 'gone';
    const vm = await arm.getVm(name, signal);
    if (vm === undefined || vm.provisioningState === 'Deleting') return 'gone';
    const change = inPlaceChangeOf(vm, goal);
    if (change === undefined) return 'brought';
    // The machine comes last: as long as its own tags differ, its parts are read again.
    if (change.tags !== undefined) {
      await tagNicOf(arm, { name, tags: goal.tags }, signal);
      for (const extension of extensions) await tagExtensionOf(arm, { name, extension, tags: goal.tags }, signal);
    }
    await arm.updateVm(name, change, signal);
    return 'brought';
  },
});

/** Brings running machines to the tags of their class and the identities of the options. */
export const inPlaceUpdate = (deps: InPlaceUpdateDeps): Controller<AKSNodeClass> =>
  inPlaceUpdating({
    kind: aksNodeClassKind,
    update: machineUpdate(deps),
    annotation: azureAnnotations.inPlaceUpdateHash,
    kube: deps.kube,
    onProgress: ({ className: nodeclass, left, updated }) => {
      deps.updatesLeft.set(left, { nodeclass });
      if (left > 0 && updated === 0)
        deps.logger.info('machines are still to be brought to the tags and identities of their class', { nodeclass, left });
    },
    isOfOne: (failure) => failure instanceof ArmError && failure.code === 'refused',
  });
