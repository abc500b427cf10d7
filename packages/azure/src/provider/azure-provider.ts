import {
  type CloudProvider,
  CloudProviderError,
  type InstanceType,
  labels,
  type Machine,
  type Node,
  type NodeClaim,
  type NodePool,
} from '@karpenter/core';
import { type AKSNodeClass, azureLabelCatalog, reservingLabelCatalog } from '../apis/index.ts';
import { ArmError } from '../arm/arm-error.ts';
import { cloudProviderErrorOf } from '../arm/refusals/cloud-provider-error-of.ts';
import {
  aksMachineNameIn,
  machineNameIn,
  machineNameFor,
  machineNameOf,
  machineOf,
  machineTags,
  NetworkFactsError,
  type VmFacts,
} from '../machines/index.ts';
import { aksNodeClassKind } from './azure-kube.ts';
import { createMachine } from './launch/create-machine.ts';
import { machineDriftOf, isOfAgentPool } from './drift.ts';
import { interruptionOf } from './interruption-of.ts';
import { typesOf } from './launch/plan-launch.ts';
import type { ProviderContext } from './provider-context.ts';
import { repairPolicies } from './repair-policies.ts';
import { recognized } from './recognized.ts';
import { readNodeClass } from './resolve-node-class.ts';

/** A failure of Azure, as core's. */
const coreErrorOf = (error: unknown): unknown => {
  if (error instanceof ArmError) return cloudProviderErrorOf(error);
  if (error instanceof NetworkFactsError)
    return new CloudProviderError('launch-failed', error.message, { reason: 'NetworkUnknown', cause: error });
  return error;
};

const answering = async <T>(run: () => Promise<T>): Promise<T> => {
  try {
    return await run();
  } catch (error) {
    throw coreErrorOf(error);
  }
};

/** The type of a machine by way of its pool and its class; undefined when either is gone. */
const typeOf = async (context: ProviderContext, vm: VmFacts, signal: AbortSignal): Promise<InstanceType | undefined> => {
  const poolName = vm.tags[machineTags.nodePool];
  const pool = poolName === undefined ? undefined : await context.kube.get<NodePool>('NodePool', { name: poolName }, { signal });
  const nodeClass = pool && (await readNodeClass(context.kube, pool.spec.template.spec.nodeClassRef.name, signal));
  return nodeClass && typesOf(context, nodeClass).find(({ name }) => name === vm.size);
};

const listMachines = async (context: ProviderContext, signal: AbortSignal): Promise<readonly Machine[]> => {
  const types = new Map<string, Promise<InstanceType | undefined>>();
  const remembered = (vm: VmFacts): Promise<InstanceType | undefined> => {
    const key = `${vm.tags[machineTags.nodePool] ?? ''} ${vm.size}`;
    const found = types.get(key) ?? typeOf(context, vm, signal);
    types.set(key, found);
    return found;
  };
  const vms = await context.machines.vms(signal);
  return Promise.all(vms.map(async (vm) => machineOf(recognized(context, vm), await remembered(vm), context.options)));
};

const getMachine = async (context: ProviderContext, providerId: string, signal: AbortSignal): Promise<Machine | undefined> => {
  const vmName = machineNameIn(providerId);
  const ofPool = context.aksMachines && vmName && aksMachineNameIn(vmName, context.aksMachines.poolName);
  const name = ofPool === undefined || ofPool === '' ? vmName : machineNameOf(ofPool);
  const vm = name === undefined ? undefined : await context.backend.find(name, signal);
  return vm && machineOf(recognized(context, vm), await typeOf(context, vm, signal), context.options);
};

const instanceTypes = async (context: ProviderContext, nodePool: NodePool, signal: AbortSignal): Promise<readonly InstanceType[]> => {
  const { name } = nodePool.spec.template.spec.nodeClassRef;
  const nodeClass = await readNodeClass(context.kube, name, signal);
  if (nodeClass === undefined) {
    throw new CloudProviderError(
      'node-class-not-ready',
      `NodePool ${nodePool.metadata.name} names AKSNodeClass ${name}, which does not exist`,
      {
        reason: 'NodeClassNotFound',
      },
    );
  }
  return typesOf(context, nodeClass);
};

const isUsable = (nodeClass: AKSNodeClass | undefined): nodeClass is AKSNodeClass =>
  nodeClass !== undefined && nodeClass.metadata.deletionTimestamp === undefined;

const driftReason = async (context: ProviderContext, claim: NodeClaim, signal: AbortSignal): Promise<string | undefined> => {
  if (claim.metadata.labels?.[labels.nodePool] === undefined) return undefined;
  const nodeClass = await readNodeClass(context.kube, claim.spec.nodeClassRef.name, signal);
  if (!isUsable(nodeClass)) return undefined;
  const nodeName = claim.status?.nodeName;
  const node =
    nodeName === undefined
      ? undefined
      : await context.kube.get<Node & { apiVersion: 'v1'; kind: 'Node' }>('Node', { name: nodeName }, { signal });
  const reason = machineDriftOf({ claim, nodeClass, node, options: context.options });
  if (reason !== undefined || context.aksMachines === undefined || !isOfAgentPool(claim)) return reason;
  return (await context.aksMachines.hasDrifted(machineNameFor(claim), signal)) ? 'ClusterConfigDrift' : undefined;
};

/** AKS virtual machines as core's CloudProvider. */
export const azureProvider = (context: ProviderContext): CloudProvider => ({
  name: 'azure',
  getSupportedNodeClasses: () => [aksNodeClassKind],
  labelCatalog: context.options.capacityReservationGroups.length > 0 ? reservingLabelCatalog : azureLabelCatalog,
  repairPolicies,
  interruptionOf,
  create: (claim, options) => answering(() => createMachine(context, claim, options)),
  delete: (claim, { signal }) =>
    answering(async () => {
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
  get: (providerId, { signal }) => answering(() => getMachine(context, providerId, signal)),
  list: ({ signal }) => answering(() => listMachines(context, signal)),
  getInstanceTypes: (nodePool, { signal }) => instanceTypes(context, nodePool, signal),
  isDrifted: (claim, { signal }) => answering(() => driftReason(context, claim, signal)),
});
