import {
  CloudProviderError,
  type InstanceType,
  labels,
  type Machine,
  type NodeClaim,
  type Requirements,
  requirementsOf,
  resourcesOf,
} from '@karpenter/core';
import { type AKSNodeClass, azureAnnotations, azureLabelCatalog, nodeClassHashOf, NODE_CLASS_HASH_VERSION } from '../apis/index.ts';
import { ArmError } from '../arm/arm-error.ts';
import type { LaunchAttempt } from '../arm/classify.ts';
import { facetsOf, singleValues } from '../catalog/index.ts';
import {
  type Choice,
  chooseOffering,
  claimNameOf,
  type LaunchOrder,
  machineNameOf,
  machineOf,
  machineTagsOf,
  selectImage,
  type VmFacts,
} from '../machines/index.ts';
import { defaultMaxPodsOf } from '../options/index.ts';
import type { Sku } from '../skus/index.ts';
import { zoneLabelOf } from '../zones/index.ts';
import { launchOrderOf, wantsUltraSsd } from './launch-order.ts';
import type { ProviderContext } from './provider-context.ts';
import { readNodeClass, type UsableNodeClass, usableNodeClass } from './resolve-node-class.ts';
import { waitForMachine } from './wait-for-machine.ts';

interface Launch {
  readonly claim: NodeClaim;
  readonly requirements: Requirements;
  readonly usable: UsableNodeClass;
  readonly choice: Choice;
  readonly sku: Sku;
}

export const typesOf = (context: ProviderContext, nodeClass: AKSNodeClass): readonly InstanceType[] =>
  context.catalog.typesFor(facetsOf(nodeClass, defaultMaxPodsOf(context.options)));

const attemptOf = ({ sku, choice }: Launch, location: string): LaunchAttempt => ({
  size: sku,
  zones: sku.zones.map((zone) => zoneLabelOf(location, zone)),
  zone: choice.offering.zone,
  capacityType: choice.offering.capacityType,
});

const planLaunch = (context: ProviderContext, claim: NodeClaim, usable: UsableNodeClass): Launch => {
  const requirements = requirementsOf(claim.spec.requirements, azureLabelCatalog);
  const wanted = { requirements, requests: resourcesOf(claim.spec.resources?.requests), labelCatalog: azureLabelCatalog };
  const choice = chooseOffering(typesOf(context, usable.nodeClass), wanted);
  const sku = choice && context.catalog.skus.get(choice.type.name);
  if (choice === undefined || sku === undefined) {
    throw new CloudProviderError(
      'insufficient-capacity',
      `no size that meets the requirements of ${claim.metadata.name} is to be had now`,
      {
        reason: 'NoCompatibleOffering',
      },
    );
  }
  return { claim, requirements, usable, choice, sku };
};

const orderOf = async (context: ProviderContext, launch: Launch, signal: AbortSignal): Promise<LaunchOrder> => {
  const image = selectImage(launch.usable.images, launch.choice.type);
  if (image === undefined) {
    throw new CloudProviderError('launch-failed', `no image of the class runs on ${launch.choice.type.name}`, { reason: 'ImageNotFound' });
  }
  const [facts, securityGroup, backendPoolIds] = await Promise.all([
    context.facts(signal),
    context.network.securityGroup(signal),
    context.network.backendPoolIds(signal),
  ]);
  const { options, caBundle } = context;
  return launchOrderOf({ options, caBundle, ...launch, ...launch.usable, image, facts, securityGroup, backendPoolIds });
};

/** A pool that the cluster has dropped since it was looked up: asked anew, once. */
const isStalePool = (error: unknown): boolean =>
  error instanceof ArmError && error.armCode === 'InvalidResourceReference' && error.message.includes('/backendAddressPools/');

const send = async (context: ProviderContext, launch: Launch, signal: AbortSignal) => {
  try {
    return await context.backend.launch(await orderOf(context, launch, signal), signal);
  } catch (error) {
    if (!isStalePool(error)) throw error;
    context.network.forgetBackendPools();
    return context.backend.launch(await orderOf(context, launch, signal), signal);
  }
};

/** What the claim learns: the machine's labels and the single well-known values of the claim itself, and by which class it was made. */
const learned = (machine: Machine, claim: NodeClaim, nodeClass: AKSNodeClass): Machine => {
  const wanted = singleValues(requirementsOf(claim.spec.requirements, azureLabelCatalog));
  const wellKnown = Object.fromEntries(Object.entries(wanted).filter(([key]) => azureLabelCatalog.wellKnown.has(key)));
  const annotations = {
    [azureAnnotations.nodeClassHash]: nodeClassHashOf(nodeClass),
    [azureAnnotations.nodeClassHashVersion]: NODE_CLASS_HASH_VERSION,
  };
  return { ...machine, labels: { ...wellKnown, ...machine.labels }, annotations };
};

/** Takes up the machine that an earlier try made, as it is. */
const adopt = async (context: ProviderContext, vm: VmFacts, signal: AbortSignal): Promise<void> => {
  const retry = (why: string): CloudProviderError =>
    new CloudProviderError('launch-failed', `VM ${vm.name} ${why}`, { reason: 'CreateInstanceFailed' });
  if (vm.provisioningState === 'Deleting') throw retry('of an earlier try is still being deleted');
  if (vm.provisioningState === 'Failed') {
    await context.backend.remove(vm.name, signal);
    throw retry('of an earlier try has failed and is deleted');
  }
  const claimName = claimNameOf(vm.name);
  if (vm.provisioningState === 'Succeeded' || claimName === undefined) return;
  context.follower.follow(claimName, undefined, (until) => waitForMachine(context, vm.name, until));
};

const launchNew = async (context: ProviderContext, launch: Launch, signal: AbortSignal): Promise<VmFacts> => {
  const { claim, choice, usable, requirements } = launch;
  const { zone, capacityType } = choice.offering;
  const attempt = attemptOf(launch, context.options.location);
  context.launchesStarted.increment({ size: choice.type.name, zone, capacity_type: capacityType });
  try {
    const operation = await send(context, launch, signal);
    context.follower.follow(claim.metadata.name, attempt, (until) => operation.finish(until));
  } catch (error) {
    throw context.follower.judge(error, attempt) ?? error;
  }
  return {
    name: machineNameOf(claim.metadata.name),
    size: choice.type.name,
    zone,
    capacityType: capacityType === 'spot' ? 'spot' : 'on-demand',
    imageId: selectImage(usable.images, choice.type)?.id,
    hasUltraSsd: wantsUltraSsd(requirements),
    tags: machineTagsOf({
      clusterName: context.options.clusterName,
      nodePoolName: claim.metadata.labels?.[labels.nodePool],
      additionalTags: {},
      classTags: {},
    }),
    provisioningState: 'Creating',
    createdAt: new Date(context.clock.now()).toISOString(),
  };
};

/**
 * Makes the machine of a claim, or takes up the one there is: claims name their machines, so that no claim ever has two. Returns when ARM
 * has accepted it; the rest is followed in the background.
 */
export const createMachine = async (context: ProviderContext, claim: NodeClaim, signal: AbortSignal): Promise<Machine> => {
  const className = claim.spec.nodeClassRef.name;
  const usable = usableNodeClass(await readNodeClass(context.kube, className, signal), className);
  const existing = await context.backend.find(machineNameOf(claim.metadata.name), signal);
  if (existing !== undefined) await adopt(context, existing, signal);
  const vm = existing ?? (await launchNew(context, planLaunch(context, claim, usable), signal));
  const type = typesOf(context, usable.nodeClass).find(({ name }) => name === vm.size);
  return learned(machineOf(vm, type, context.options), claim, usable.nodeClass);
};
