import type { Verdict } from '@karpenter/core/provider-kit';
import { nodeClassConditions } from '../../apis/index.ts';
import type { ArmApi } from '../../arm/arm-api.ts';
import { ArmError } from '../../arm/arm-error.ts';
import { isManagedVnet, isSameVnet, parseSubnetId } from '../../arm/calls/subnet-id.ts';
import type { AzureOptions } from '../../options/index.ts';

const type = nodeClassConditions.subnetsReady;
const bad = (reason: string, message: string): Verdict => ({ type, status: 'False', reason, message });

/** Why a subnet cannot be used, by its id alone. */
const idProblem = (subnetId: string, options: AzureOptions): string | undefined => {
  const subnet = parseSubnetId(subnetId);
  const own = parseSubnetId(options.vnetSubnetId);
  if (subnet === undefined || own === undefined) return `${subnetId} is not the ARM id of a subnet`;
  if (subnetId.toLowerCase() === options.vnetSubnetId.toLowerCase()) return undefined;
  if (!isSameVnet(subnet, own)) return `${subnetId} is not in the cluster's virtual network ${own.vnet}`;
  return isManagedVnet(own, options.nodeResourceGroup)
    ? `${subnetId}: AKS manages the virtual network, other subnets of it cannot be used`
    : undefined;
};

/** Whether machines of a class can join its subnet. */
export const subnetVerdict = async (
  { arm, options }: { readonly arm: Pick<ArmApi, 'hasSubnet'>; readonly options: AzureOptions },
  subnetId: string,
  signal: AbortSignal,
): Promise<Verdict> => {
  const problem = idProblem(subnetId, options);
  if (problem !== undefined) return bad('SubnetIDInvalid', problem);
  try {
    return (await arm.hasSubnet(subnetId, signal)) ? { type, status: 'True' } : bad('SubnetNotFound', `${subnetId} does not exist`);
  } catch (error) {
    if (error instanceof ArmError) return bad('SubnetUnknownError', error.message);
    throw error;
  }
};
