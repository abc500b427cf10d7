import { CloudProviderError } from '@karpenter/core';
import { ArmError } from '../../arm/arm-error.ts';
import { nodeImageNameOf } from '../../images/index.ts';
import {
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
import { type MachineLaunch, launchTagsOf, maxPodsOf, placementOf, wantedLabelsOf, wantsUltraSsd } from './launch-source.ts';
import { basisOf, sourceOf } from './plan-launch.ts';
import type { Launching, ProviderContext } from '../provider-context.ts';

const vmOrderOf = async (context: ProviderContext, launch: MachineLaunch, signal: AbortSignal): Promise<LaunchOrder> => {
  const source = await sourceOf(context, launch, signal);
  const { customData, script } = await context.prepare(source, signal);
  const order = launchOrderOf(source, customData);
  if (script !== undefined) context.starter.keep(order.name, script);
  return order;
};

/** The cluster has dropped a backend pool since the pools were read: they are read again, once. */
const isStalePool = (error: unknown): boolean =>
  error instanceof ArmError && error.armCode === 'InvalidResourceReference' && error.message.includes('/backendAddressPools/');

/** As a VM that is put together here. */
export const launchingVms =
  (backend: Pick<MachineBackend, 'launch'>): Launching =>
  async (context, launch, signal) => {
    try {
      return await backend.launch(await vmOrderOf(context, launch, signal), signal);
    } catch (error) {
      if (!isStalePool(error)) throw error;
      context.network.forgetBackendPools();
      return backend.launch(await vmOrderOf(context, launch, signal), signal);
    }
  };

const machineOrderOf = (context: ProviderContext, launch: MachineLaunch): AksMachineOrder => {
  const basis = basisOf(context, launch);
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
  (backend: Pick<MachineBackend<AksMachineOrder>, 'launch'>): Launching =>
  async (context, launch, signal) =>
    backend.launch(machineOrderOf(context, launch), signal);
