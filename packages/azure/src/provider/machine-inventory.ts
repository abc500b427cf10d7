import type { InstanceType, Machine, NodePool } from '@karpenter/core';
import type { AKSNodeClass } from '../apis/index.ts';
import { facetsOf, type InstanceTypeCatalog } from '../catalog/index.ts';
import {
  type AksMachines,
  aksMachineNameIn,
  asReserved,
  type MachineList,
  machineNameIn,
  machineNameOf,
  machineOf,
  type MachineStock,
  machineTags,
  type VmFacts,
} from '../machines/index.ts';
import { type AzureOptions, defaultMaxPodsOf } from '../options/index.ts';
import type { ReservationBook } from '../reservations/index.ts';
import type { AzureKube } from './azure-kube.ts';
import { readNodeClass } from './usable-node-class.ts';

/** The sizes on sale. */
export interface SizeCatalog {
  readonly options: AzureOptions;
  readonly catalog: InstanceTypeCatalog;
}

/** The sizes on sale to the pools of the cluster. */
export interface PoolSizes extends SizeCatalog {
  readonly kube: Pick<AzureKube, 'get'>;
}

/** Existing machines. */
export interface MachineInventory extends PoolSizes {
  readonly backend: MachineStock;
  readonly machines: MachineList;
  /** Machines of the agent pool; absent: there are none. */
  readonly aksMachines: AksMachines | undefined;
  readonly reservations: Pick<ReservationBook, 'behind'>;
}

export const typesOf = ({ catalog, options }: SizeCatalog, nodeClass: AKSNodeClass): readonly InstanceType[] =>
  catalog.typesFor(facetsOf(nodeClass, defaultMaxPodsOf(options)));

/** A machine by what pays for it: out of the reservation that it was made out of, as long as that is there. */
export const withPayingReservation = ({ reservations }: Pick<MachineInventory, 'reservations'>, vm: VmFacts): VmFacts =>
  asReserved(vm, reservations.behind(vm));

/** The type of a machine by way of its pool and its class; undefined when either is gone. */
const typeOf = async (sizes: PoolSizes, vm: VmFacts, signal: AbortSignal): Promise<InstanceType | undefined> => {
  const { kube } = sizes;
  const poolName = vm.tags[machineTags.nodePool];
  const pool = poolName === undefined ? undefined : await kube.get<NodePool>('NodePool', { name: poolName }, { signal });
  const nodeClass = pool && (await readNodeClass(kube, pool.spec.template.spec.nodeClassRef.name, signal));
  return nodeClass && typesOf(sizes, nodeClass).find(({ name }) => name === vm.size);
};

export const listMachines = async (
  inventory: Omit<MachineInventory, 'backend' | 'aksMachines'>,
  signal: AbortSignal,
): Promise<readonly Machine[]> => {
  const types = new Map<string, Promise<InstanceType | undefined>>();
  const remembered = (vm: VmFacts): Promise<InstanceType | undefined> => {
    const key = `${vm.tags[machineTags.nodePool] ?? ''} ${vm.size}`;
    const found = types.get(key) ?? typeOf(inventory, vm, signal);
    types.set(key, found);
    return found;
  };
  const vms = await inventory.machines.vms(signal);
  return Promise.all(vms.map(async (vm) => machineOf(withPayingReservation(inventory, vm), await remembered(vm), inventory.options)));
};

export const getMachine = async (
  inventory: Omit<MachineInventory, 'machines'>,
  providerId: string,
  signal: AbortSignal,
): Promise<Machine | undefined> => {
  const { aksMachines, backend, options } = inventory;
  const vmName = machineNameIn(providerId);
  const ofPool = aksMachines && vmName && aksMachineNameIn(vmName, aksMachines.poolName);
  const name = ofPool === undefined || ofPool === '' ? vmName : machineNameOf(ofPool);
  const vm = name === undefined ? undefined : await backend.find(name, signal);
  return vm && machineOf(withPayingReservation(inventory, vm), await typeOf(inventory, vm, signal), options);
};
