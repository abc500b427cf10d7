import { CloudProviderError, type CreateOptions, type InstanceType, type NodeClaim, requirementsOf, resourcesOf } from '@karpenter/core';
import { azureAnnotations, azureLabelCatalog } from '../../apis/index.ts';
import {
  cheapestSpotSizes,
  type OfferingChoice,
  chooseOffering,
  machineNameOf,
  nodeAddressesOf,
  type NodeSubnets,
  SCORED_SIZES,
  type SpotScores,
  subnetIdsOf,
  type VmFacts,
  type Wanted,
} from '../../machines/index.ts';
import type { CapacityReservation, ReservationBook } from '../../reservations/index.ts';
import type { MachineLaunch } from './launch-source.ts';
import { withPayingReservation, type SizeCatalog, typesOf } from '../machine-inventory.ts';
import type { UsableNodeClass } from '../usable-node-class.ts';

/** Chooses what a claim is launched as. */
export interface LaunchPlanner extends SizeCatalog {
  readonly reservations: Pick<ReservationBook, 'behind' | 'find' | 'hasRoom'>;
  readonly subnets: Pick<NodeSubnets, 'choose'>;
  /** Absent: spot sizes are chosen by price alone. */
  readonly spotScores: SpotScores | undefined;
}

const reservationOf = (
  { reservations }: Pick<LaunchPlanner, 'reservations'>,
  { offering }: OfferingChoice,
): CapacityReservation | undefined => offering.reservation && reservations.find(offering.reservation.id);

/** What a launch is planned for. */
interface LaunchRequest {
  readonly usable: UsableNodeClass;
  readonly asPlanned: CreateOptions['asPlanned'] | undefined;
  readonly signal: AbortSignal;
}

/** Where the node of a claim goes. Throws `launch-failed` when no subnet of its class has room. */
const subnetFor = (
  { subnets, options }: Pick<LaunchPlanner, 'subnets' | 'options'>,
  claim: NodeClaim,
  { usable, signal }: Omit<LaunchRequest, 'asPlanned'>,
): Promise<string> =>
  subnets.choose(
    {
      machine: machineNameOf(claim.metadata.name),
      subnetIds: subnetIdsOf(usable.nodeClass, options),
      addresses: nodeAddressesOf(usable.nodeClass, options),
    },
    signal,
  );

/** By price, and of spot machines by what Azure says of the cheapest sizes where the options want that. */
const choose = async (
  { spotScores }: Pick<LaunchPlanner, 'spotScores'>,
  types: readonly InstanceType[],
  { signal, ...wanted }: Wanted & { readonly signal: AbortSignal },
): Promise<OfferingChoice | undefined> => {
  if (spotScores === undefined) return chooseOffering(types, wanted);
  const sizes = cheapestSpotSizes(types, wanted, SCORED_SIZES);
  if (sizes.length > 1) await spotScores.learn(sizes, signal);
  return chooseOffering(types, { ...wanted, spotFactorOf: (size, zone) => spotScores.factorOf(size, zone) });
};

/** The best available offering for a claim, and its subnet; throws `insufficient-capacity` if there is none. */
export const planLaunch = async (planner: LaunchPlanner, claim: NodeClaim, request: LaunchRequest): Promise<MachineLaunch> => {
  const { usable, asPlanned } = request;
  const requirements = requirementsOf(claim.spec.requirements, azureLabelCatalog);
  const { reservations } = planner;
  const { name: claimName } = claim.metadata;
  const types = typesOf(planner, usable.nodeClass);
  const choice = await choose(planner, asPlanned?.(claim, types) ?? types, {
    ...{ claimName, requirements, labelCatalog: azureLabelCatalog, signal: request.signal },
    requests: resourcesOf(claim.spec.resources?.requests),
    hasRoom: (id) => reservations.hasRoom(id, machineNameOf(claimName)),
  });
  const sku = choice && planner.catalog.skus.get(choice.type.name);
  if (choice === undefined || sku === undefined) {
    throw new CloudProviderError('insufficient-capacity', `no size that meets the requirements of ${claimName} is available`, {
      reason: 'NoCompatibleOffering',
    });
  }
  const subnetId = await subnetFor(planner, claim, request);
  return { claim, requirements, usable, choice, sku, reservation: reservationOf(planner, choice), subnetId };
};

/** The launch that made a machine; undefined when its size is no longer sold. */
export const launchBehind = (
  planner: Omit<LaunchPlanner, 'subnets' | 'spotScores'>,
  { claim, usable }: Pick<MachineLaunch, 'claim' | 'usable'>,
  vm: VmFacts,
): MachineLaunch | undefined => {
  const type = typesOf(planner, usable.nodeClass).find(({ name }) => name === vm.size);
  const { zone, capacityType, reservation } = withPayingReservation(planner, vm);
  const offering = type?.offerings.find(
    (each) => each.zone === zone && each.capacityType === capacityType && each.reservation?.id === reservation?.id,
  );
  const sku = planner.catalog.skus.get(vm.size);
  if (type === undefined || offering === undefined || sku === undefined) return undefined;
  const requirements = requirementsOf(claim.spec.requirements, azureLabelCatalog);
  const choice = { type, offering };
  const subnetId = claim.metadata.annotations?.[azureAnnotations.subnet] ?? subnetIdsOf(usable.nodeClass, planner.options)[0] ?? '';
  return { claim, usable, requirements, choice, sku, reservation: reservationOf(planner, choice), subnetId };
};
