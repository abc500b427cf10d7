import {
  type CloudProvider,
  CloudProviderError,
  type InstanceType,
  labels,
  type Node,
  type NodeClaim,
  type NodePool,
} from '@karpenter/core';
import { type AKSNodeClass, azureLabelCatalog, reservingLabelCatalog } from '../apis/index.ts';
import { ArmError } from '../arm/arm-error.ts';
import { cloudProviderErrorOf } from '../arm/error-codes/cloud-provider-error-of.ts';
import { machineNameFor, machineNameOf, NetworkFactsError } from '../machines/index.ts';
import { aksNodeClassKind } from './azure-kube.ts';
import { createMachine, type Launcher } from './launch/create-machine.ts';
import { machineDriftOf, isOfAgentPool } from './drift.ts';
import { interruptionOf } from './interruption-of.ts';
import { getMachine, listMachines, type MachineInventory, type PoolSizes, typesOf } from './machine-inventory.ts';
import { repairPolicies } from './repair-policies.ts';
import { readNodeClass } from './usable-node-class.ts';

/** A failure of Azure, as core's. */
const coreErrorOf = (error: unknown): unknown => {
  if (error instanceof ArmError) return cloudProviderErrorOf(error);
  if (error instanceof NetworkFactsError)
    return new CloudProviderError('launch-failed', error.message, { reason: 'NetworkUnknown', cause: error });
  return error;
};

const withCoreErrors = async <T>(run: () => Promise<T>): Promise<T> => {
  try {
    return await run();
  } catch (error) {
    throw coreErrorOf(error);
  }
};

const instanceTypes = async (sizes: PoolSizes, nodePool: NodePool, signal: AbortSignal): Promise<readonly InstanceType[]> => {
  const { name } = nodePool.spec.template.spec.nodeClassRef;
  const nodeClass = await readNodeClass(sizes.kube, name, signal);
  if (nodeClass === undefined) {
    throw new CloudProviderError(
      'node-class-not-ready',
      `NodePool ${nodePool.metadata.name} names AKSNodeClass ${name}, which does not exist`,
      {
        reason: 'NodeClassNotFound',
      },
    );
  }
  return typesOf(sizes, nodeClass);
};

const isUsable = (nodeClass: AKSNodeClass | undefined): nodeClass is AKSNodeClass =>
  nodeClass !== undefined && nodeClass.metadata.deletionTimestamp === undefined;

type DriftParts = Pick<MachineInventory, 'kube' | 'options' | 'aksMachines'>;

const driftReason = async (
  { kube, options, aksMachines }: DriftParts,
  claim: NodeClaim,
  signal: AbortSignal,
): Promise<string | undefined> => {
  if (claim.metadata.labels?.[labels.nodePool] === undefined) return undefined;
  const nodeClass = await readNodeClass(kube, claim.spec.nodeClassRef.name, signal);
  if (!isUsable(nodeClass)) return undefined;
  const nodeName = claim.status?.nodeName;
  const node =
    nodeName === undefined ? undefined : await kube.get<Node & { apiVersion: 'v1'; kind: 'Node' }>('Node', { name: nodeName }, { signal });
  const reason = machineDriftOf({ claim, nodeClass, node, options });
  if (reason !== undefined || aksMachines === undefined || !isOfAgentPool(claim)) return reason;
  return (await aksMachines.hasDrifted(machineNameFor(claim), signal)) ? 'ClusterConfigDrift' : undefined;
};

/** AKS virtual machines as core's CloudProvider. */
export const azureProvider = (context: Launcher & MachineInventory): CloudProvider => ({
  name: 'azure',
  getSupportedNodeClasses: () => [aksNodeClassKind],
  labelCatalog: context.options.capacityReservationGroups.length > 0 ? reservingLabelCatalog : azureLabelCatalog,
  repairPolicies,
  interruptionOf,
  create: (claim, options) => withCoreErrors(() => createMachine(context, claim, options)),
  delete: (claim, { signal }) =>
    withCoreErrors(async () => {
      const name = machineNameOf(claim.metadata.name);
      context.starter.forget(name);
      const outcome = await context.backend.remove(machineNameFor(claim), signal);
      if (outcome === 'gone') {
        context.tries.forget(claim.metadata.name);
        context.reservations.release(name);
        context.subnets.release(name);
      }
      return outcome;
    }),
  get: (providerId, { signal }) => withCoreErrors(() => getMachine(context, providerId, signal)),
  list: ({ signal }) => withCoreErrors(() => listMachines(context, signal)),
  getInstanceTypes: (nodePool, { signal }) => instanceTypes(context, nodePool, signal),
  isDrifted: (claim, { signal }) => withCoreErrors(() => driftReason(context, claim, signal)),
});
