import { conditionOf } from '@karpenter/core';
import type { Verdict } from '@karpenter/core/provider-kit';
import { type AKSNodeClass, isDualStack, nodeClassConditions } from '../../apis/index.ts';
import type { ArmApi } from '../../arm/arm-api.ts';
import { ArmError } from '../../arm/arm-error.ts';
import { isManagedVnet, isSameVnet, parseSubnetId } from '../../arm/calls/subnet-id.ts';
import { subnetIdsOf } from '../../machines/index.ts';
import { type AzureOptions, isOverlay } from '../../options/index.ts';

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

/** Azure did not say: it is not well, was not reached, or takes no more calls for now. */
const isSilent = ({ code }: ArmError): boolean => code === 'throttled' || code === 'network' || code === 'server';

const isJudged = ({ metadata, status }: AKSNodeClass): boolean => {
  const condition = conditionOf(status?.conditions, type);
  return condition !== undefined && (condition.observedGeneration ?? 0) === (metadata.generation ?? 0);
};

/** A class that is False has its pending claims deleted, which silence is no reason for. */
const unread = (nodeClass: AKSNodeClass, error: ArmError): Verdict | undefined => {
  const reason = 'SubnetUnknownError';
  if (!isSilent(error)) return bad(reason, error.message);
  return isJudged(nodeClass) ? undefined : { type, status: 'Unknown', reason, message: error.message };
};

interface SubnetSource {
  readonly arm: Pick<ArmApi, 'subnetPrefixes'>;
  readonly options: AzureOptions;
  readonly nodeClass: AKSNodeClass;
}

const verdictOn = async (
  subnetId: string,
  { arm, options, nodeClass }: SubnetSource,
  signal: AbortSignal,
): Promise<Verdict | undefined> => {
  const problem = idProblem(subnetId, options);
  if (problem !== undefined) return bad('SubnetIDInvalid', problem);
  try {
    const prefixes = await arm.subnetPrefixes(subnetId, signal);
    if (prefixes === undefined) return bad('SubnetNotFound', `${subnetId} does not exist`);
    if (isDualStack(nodeClass) && !prefixes.some((prefix) => prefix.includes(':'))) {
      return bad('SubnetHasNoIPv6', `${subnetId} has no IPv6 address range, which spec.ipFamilies needs`);
    }
    return { type, status: 'True' };
  } catch (error) {
    if (error instanceof ArmError) return unread(nodeClass, error);
    throw error;
  }
};

/** With an overlay, and with a plugin of the user, pods have addresses of no subnet. */
const podSubnetVerdict = (source: SubnetSource, signal: AbortSignal): Promise<Verdict | undefined> | Verdict => {
  const { nodeClass, options } = source;
  const podSubnetID = nodeClass.spec?.podSubnetID;
  if (podSubnetID === undefined) return { type, status: 'True' };
  if (options.networkPlugin === 'azure' && !isOverlay(options)) return verdictOn(podSubnetID, source, signal);
  return bad('SubnetIDInvalid', 'spec.podSubnetID needs the network plugin azure without overlay');
};

/** The first problem with a subnet of the nodes; none. */
const nodeSubnetsVerdict = async (source: SubnetSource, signal: AbortSignal): Promise<Verdict | undefined> => {
  for (const subnetId of subnetIdsOf(source.nodeClass, source.options)) {
    const verdict = await verdictOn(subnetId, source, signal);
    if (verdict?.status !== 'True') return verdict;
  }
  return { type, status: 'True' };
};

/**
 * Whether machines of a class can join its subnets, and its pods theirs. Undefined where Azure did not say: what was
 * known of the present spec still counts. Differs: in the original every failure to read the subnet makes the
 * class not ready.
 */
export const subnetVerdict = async (
  { arm, options }: { readonly arm: Pick<ArmApi, 'subnetPrefixes'>; readonly options: AzureOptions },
  nodeClass: AKSNodeClass,
  signal: AbortSignal,
): Promise<Verdict | undefined> => {
  const source = { arm, options, nodeClass };
  const ofNodes = await nodeSubnetsVerdict(source, signal);
  return ofNodes?.status === 'True' ? podSubnetVerdict(source, signal) : ofNodes;
};
