import { CloudProviderError, type CreateOptions, type InstanceType, type NodeClaim, requirementsOf, resourcesOf } from '@karpenter/core';
import { type AKSNodeClass, azureAnnotations, azureLabelCatalog } from '../../apis/index.ts';
import { facetsOf } from '../../catalog/index.ts';
import {
  cheapestSpotSizes,
  type OfferingChoice,
  chooseOffering,
  machineNameOf,
  nodeAddressesOf,
  SCORED_SIZES,
  selectImage,
  subnetIdsOf,
  type VmFacts,
  type Wanted,
} from '../../machines/index.ts';
import { resolveFamily } from '../../images/index.ts';
import { defaultMaxPodsOf } from '../../options/index.ts';
import type { CapacityReservation } from '../../reservations/index.ts';
import type { MachineLaunch, LaunchBasis, LaunchSource } from './launch-source.ts';
import type { ProviderContext } from '../provider-context.ts';
import { recognized } from '../recognized.ts';
import type { UsableNodeClass } from '../resolve-node-class.ts';

export const typesOf = (context: ProviderContext, nodeClass: AKSNodeClass): readonly InstanceType[] =>
  context.catalog.typesFor(facetsOf(nodeClass, defaultMaxPodsOf(context.options)));

const reservationOf = ({ reservations }: ProviderContext, { offering }: OfferingChoice): CapacityReservation | undefined =>
  offering.reservation && reservations.find(offering.reservation.id);

/** What a launch is planned for. */
interface LaunchWish {
  readonly usable: UsableNodeClass;
  readonly asPlanned: CreateOptions['asPlanned'] | undefined;
  readonly signal: AbortSignal;
}

/** Where the node of a claim goes. Throws `launch-failed` when no subnet of its class has room. */
const subnetFor = (context: ProviderContext, claim: NodeClaim, { usable, signal }: LaunchWish): Promise<string> =>
  context.subnets.choose(
    {
      machine: machineNameOf(claim.metadata.name),
      subnetIds: subnetIdsOf(usable.nodeClass, context.options),
      addresses: nodeAddressesOf(usable.nodeClass, context.options),
    },
    signal,
  );

/** By price, and of spot machines by what Azure says of the cheapest sizes where the options want that. */
const choose = async (
  { spotScores }: ProviderContext,
  types: readonly InstanceType[],
  { signal, ...wanted }: Wanted & { readonly signal: AbortSignal },
): Promise<OfferingChoice | undefined> => {
  if (spotScores === undefined) return chooseOffering(types, wanted);
  const sizes = cheapestSpotSizes(types, wanted, SCORED_SIZES);
  if (sizes.length > 1) await spotScores.learn(sizes, signal);
  return chooseOffering(types, { ...wanted, spotFactorOf: (size, zone) => spotScores.factorOf(size, zone) });
};

/** The best available offering for a claim, and its subnet; throws `insufficient-capacity` if there is none. */
export const planLaunch = async (context: ProviderContext, claim: NodeClaim, wish: LaunchWish): Promise<MachineLaunch> => {
  const { usable, asPlanned } = wish;
  const requirements = requirementsOf(claim.spec.requirements, azureLabelCatalog);
  const { reservations } = context;
  const { name: claimName } = claim.metadata;
  const types = typesOf(context, usable.nodeClass);
  const choice = await choose(context, asPlanned?.(claim, types) ?? types, {
    ...{ claimName, requirements, labelCatalog: azureLabelCatalog, signal: wish.signal },
    requests: resourcesOf(claim.spec.resources?.requests),
    hasRoom: (id) => reservations.hasRoom(id, machineNameOf(claimName)),
  });
  const sku = choice && context.catalog.skus.get(choice.type.name);
  if (choice === undefined || sku === undefined) {
    throw new CloudProviderError('insufficient-capacity', `no size that meets the requirements of ${claimName} is available`, {
      reason: 'NoCompatibleOffering',
    });
  }
  const subnetId = await subnetFor(context, claim, wish);
  return { claim, requirements, usable, choice, sku, reservation: reservationOf(context, choice), subnetId };
};

/** What a launch was planned with. Throws `launch-failed` when no image runs on the size. */
export const basisOf = ({ options, imageSelectionErrors }: ProviderContext, launch: MachineLaunch): LaunchBasis => {
  const { images, nodeClass, kubernetesVersion } = launch.usable;
  const image = selectImage(images, launch.choice.type);
  if (image === undefined) {
    imageSelectionErrors.increment({ family: resolveFamily(nodeClass.spec ?? {}, kubernetesVersion) });
    throw new CloudProviderError('launch-failed', `no image of the class runs on ${launch.choice.type.name}`, { reason: 'ImageNotFound' });
  }
  return { options, ...launch, ...launch.usable, image };
};

/** All that a launch depends on. Throws as `basisOf`, and what the cluster's network cannot be read by. */
export const sourceOf = async (context: ProviderContext, launch: MachineLaunch, signal: AbortSignal): Promise<LaunchSource> => {
  const basis = basisOf(context, launch);
  const [facts, securityGroup, backendPools] = await Promise.all([
    context.facts(launch.usable.nodeClass, signal),
    context.network.securityGroup(signal),
    context.network.backendPools(signal),
  ]);
  return { ...basis, caBundle: context.caBundle, facts, securityGroup, backendPools };
};

/** The launch that made a machine; undefined when its size is no longer sold. */
export const launchBehind = (
  context: ProviderContext,
  { claim, usable }: Pick<MachineLaunch, 'claim' | 'usable'>,
  vm: VmFacts,
): MachineLaunch | undefined => {
  const type = typesOf(context, usable.nodeClass).find(({ name }) => name === vm.size);
  const { zone, capacityType, reservation } = recognized(context, vm);
  const offering = type?.offerings.find(
    (each) => each.zone === zone && each.capacityType === capacityType && each.reservation?.id === reservation?.id,
  );
  const sku = context.catalog.skus.get(vm.size);
  if (type === undefined || offering === undefined || sku === undefined) return undefined;
  const requirements = requirementsOf(claim.spec.requirements, azureLabelCatalog);
  const choice = { type, offering };
  const subnetId = claim.metadata.annotations?.[azureAnnotations.subnet] ?? subnetIdsOf(usable.nodeClass, context.options)[0] ?? '';
  return { claim, usable, requirements, choice, sku, reservation: reservationOf(context, choice), subnetId };
};
