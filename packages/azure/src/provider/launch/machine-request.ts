import { CloudProviderError } from '@karpenter/core';
import { ArmError } from '../../arm/arm-error.ts';
import { nodeImageNameOf } from '../../images/index.ts';
import {
  type AcceptedMachine,
  type AksMachineOrder,
  aksMachineBodyOf,
  classHashTagOf,
  type LaunchOrder,
  machineNameOf,
  type MachineBackend,
  subnetIdsOf,
} from '../../machines/index.ts';
import { logicalZoneOf } from '../../zones/index.ts';
import { launchOrderOf } from './launch-order.ts';
import {
  type BasisParts,
  basisOf,
  type MachineLaunch,
  launchTagsOf,
  maxPodsOf,
  placementOf,
  type SourceParts,
  sourceOf,
  wantedLabelsOf,
  wantsUltraSsd,
} from './launch-source.ts';
import type { NodePreparation } from './node-preparation.ts';
import type { NodeStarter } from './node-starter.ts';

/** Requests the machine of a launch from Azure. Throws `ArmError`, and errors about what the request needs. */
export type MachineRequest = (launch: MachineLaunch, signal: AbortSignal) => Promise<AcceptedMachine | 'exists'>;

/** Puts VMs together and requests them. */
export interface VmLaunchParts extends SourceParts {
  readonly backend: Pick<MachineBackend, 'launch'>;
  readonly prepare: NodePreparation;
  readonly starter: Pick<NodeStarter, 'keep'>;
}

const vmOrderOf = async (parts: VmLaunchParts, launch: MachineLaunch, signal: AbortSignal): Promise<LaunchOrder> => {
  const source = await sourceOf(parts, launch, signal);
  const { customData, script } = await parts.prepare(source, signal);
  const order = launchOrderOf(source, customData);
  if (script !== undefined) parts.starter.keep(order.name, script);
  return order;
};

/** The cluster has dropped a backend pool since the pools were read: they are read again, once. */
const isStalePool = (error: unknown): boolean =>
  error instanceof ArmError && error.armCode === 'InvalidResourceReference' && error.message.includes('/backendAddressPools/');

/** As a VM that is put together here. */
export const launchingVms =
  (parts: VmLaunchParts): MachineRequest =>
  async (launch, signal) => {
    const { backend, network } = parts;
    try {
      return await backend.launch(await vmOrderOf(parts, launch, signal), signal);
    } catch (error) {
      if (!isStalePool(error)) throw error;
      network.forgetBackendPools();
      return backend.launch(await vmOrderOf(parts, launch, signal), signal);
    }
  };

const machineOrderOf = (parts: BasisParts, launch: MachineLaunch): AksMachineOrder => {
  const basis = basisOf(parts, launch);
  const { claim, sku, nodeClass, kubernetesVersion, image, choice } = basis;
  const nodeImageVersion = nodeImageNameOf(image.id);
  if (nodeImageVersion === undefined) {
    const why = `the AKS machine API knows no image like ${image.id}: expected one of the shared galleries (--use-sig)`;
    throw new CloudProviderError('launch-failed', why, { reason: 'ImageNotFound' });
  }
  const body = aksMachineBodyOf({
    ...{ nodeClass, claim: claim.spec, sku, kubernetesVersion, nodeImageVersion },
    vnetSubnetID: subnetIdsOf(nodeClass, basis.options).length > 1 ? basis.subnetId : nodeClass.spec?.vnetSubnetID,
    zone: logicalZoneOf(choice.offering.zone),
    isSpot: choice.offering.capacityType === 'spot',
    spotMaxPricePerHour: basis.options.spotMaxPricePerHour,
    isEphemeral: placementOf(basis) !== undefined,
    hasUltraSsd: wantsUltraSsd(basis.requirements),
    maxPods: maxPodsOf(basis),
    labels: wantedLabelsOf(basis),
    tags: { ...launchTagsOf(basis), ...classHashTagOf(nodeClass) },
  });
  return { name: machineNameOf(claim.metadata.name), body };
};

/** As a machine of the agent pool, which AKS puts together. */
export const launchingAksMachines =
  (backend: Pick<MachineBackend<AksMachineOrder>, 'launch'>, parts: BasisParts): MachineRequest =>
  async (launch, signal) =>
    backend.launch(machineOrderOf(parts, launch), signal);
