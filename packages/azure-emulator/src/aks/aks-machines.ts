import { idKey, nameOf } from '../arm-id.ts';
import type { SkuCatalog } from '../compute/sizes/sku-catalog.ts';
import type { VirtualMachines } from '../compute/vms/virtual-machines.ts';
import type { ArmFaultEffect } from '../faults/fault.ts';
import { NIC_RESERVED_MS, type NetworkInterfaces } from '../network/network-interfaces.ts';
import type { AsyncOperation } from '../operations/async-operations.ts';
import { isRefusal } from '../serve/replies.ts';
import type { ArmWorld } from '../world.ts';
import type { MachineBody } from './machine-body.ts';
import { type MachineEntry, machineResource } from './machine-entry.ts';
import { type MachineSite, nicOfMachine, vmOfMachine } from './machine-vm.ts';

export interface AksMachineSurroundings {
  readonly world: ArmWorld;
  readonly nics: NetworkInterfaces;
  readonly vms: VirtualMachines;
  readonly catalog: SkuCatalog;
}

/** When an interface that Azure keeps for a refused VM can be deleted. */
const NIC_FREE_AGAIN_MS = NIC_RESERVED_MS + 1_000;
const NO_EFFECTS: readonly ArmFaultEffect[] = [];

/** The machines of the emulated cluster's agent pool: AKS makes an interface and a VM of each, and ends them with it. */
export class AksMachineStore {
  readonly #around: AksMachineSurroundings;
  readonly #site: MachineSite;
  readonly #entries = new Map<string, MachineEntry>();

  constructor(around: AksMachineSurroundings) {
    this.#around = around;
    this.#site = { ...around, poolName: around.world.account.machinesPoolName };
    around.vms.onEvent(({ type, vm }) => {
      if (type !== 'deleted') return;
      for (const [key, machine] of this.#entries) if (idKey(machine.vmId) === idKey(vm.id)) this.#lose(key, machine);
    });
  }

  find(id: string): MachineEntry | undefined {
    return this.#entries.get(idKey(id));
  }

  all(): readonly MachineEntry[] {
    return [...this.#entries.values()];
  }

  resource(machine: MachineEntry): object {
    const { vms, nics } = this.#around;
    const isNamed = vms.find(machine.vmId) !== undefined || machine.isLost || !this.#around.world.behaviours.lateResourceIds;
    return machineResource(machine, { vm: vms.find(machine.vmId), nic: nics.find(machine.nicId), isNamed });
  }

  create(
    id: string,
    body: MachineBody,
    effects: readonly ArmFaultEffect[],
  ): { readonly machine: MachineEntry; readonly operation: AsyncOperation } {
    const { world } = this.#around;
    const group = `/subscriptions/${world.account.subscriptionId}/resourceGroups/${world.account.nodeResourceGroup}/providers`;
    const vmName = `aks-${this.#site.poolName}-${nameOf(id)}-${world.ids.digits('machine')}-vm`;
    const machine: MachineEntry = {
      id,
      name: nameOf(id),
      vmId: `${group}/Microsoft.Compute/virtualMachines/${vmName}`,
      nicId: `${group}/Microsoft.Network/networkInterfaces/${vmName}-nic`,
      createdMs: world.clock.now(),
      body,
      version: 1,
      hasMoved: false,
      failure: undefined,
      isLeaving: false,
      isLost: false,
      driftAction: 'Synced',
    };
    this.#entries.set(idKey(id), machine);
    return { machine, operation: this.#make(machine, effects) };
  }

  /** AKS writes each machine once by itself: whoever has read it before holds an old ETag. */
  touch(machine: MachineEntry): void {
    if (machine.hasMoved || !this.#around.world.behaviours.movingETags) return;
    machine.hasMoved = true;
    machine.version += 1;
  }

  /** What may change of a machine that is there: its tags. */
  tag(machine: MachineEntry, tags: Readonly<Record<string, string>>): void {
    const { vms } = this.#around;
    machine.body = { ...machine.body, properties: { ...machine.body.properties, tags } };
    machine.version += 1;
    const vm = vms.find(machine.vmId);
    if (vm !== undefined) vms.patch(vm, { tags }, NO_EFFECTS);
  }

  /** Says of every machine that AKS would have to do something to it. */
  drift(action: string): void {
    for (const machine of this.#entries.values()) machine.driftAction = action;
  }

  delete(machine: MachineEntry): void {
    const vm = this.#around.vms.find(machine.vmId);
    machine.isLeaving = true;
    if (vm !== undefined) {
      this.#around.vms.delete(vm, NO_EFFECTS);
      return;
    }
    this.#entries.delete(idKey(machine.id));
    this.#dropNic(machine.nicId);
  }

  #lose(key: string, machine: MachineEntry): void {
    if (machine.isLeaving) this.#entries.delete(key);
    else machine.isLost = true;
  }

  #make(machine: MachineEntry, effects: readonly ArmFaultEffect[]): AsyncOperation {
    const { world, nics } = this.#around;
    const nic = nics.put({
      id: machine.nicId,
      resourceGroup: world.account.nodeResourceGroup,
      body: nicOfMachine(this.#site, machine),
      effects: NO_EFFECTS,
      isAzures: true,
    });
    if (isRefusal(nic)) machine.failure = nic.error;
    return world.operations.begin({
      durationMs: world.latencies.nicCreateMs + 1,
      effects: NO_EFFECTS,
      succeed: () => this.#boot(machine, effects),
    });
  }

  #boot(machine: MachineEntry, effects: readonly ArmFaultEffect[]): void {
    const { world, vms } = this.#around;
    if (machine.failure !== undefined || machine.isLeaving) return;
    const { subscriptionId, nodeResourceGroup: resourceGroup } = world.account;
    const accepted = vms.put({ id: machine.vmId, subscriptionId, resourceGroup, body: vmOfMachine(this.#site, machine), effects });
    if (isRefusal(accepted)) machine.failure = accepted.error;
  }

  #dropNic(id: string): void {
    const { nics, world } = this.#around;
    const nic = nics.find(id);
    if (nic === undefined) return;
    if (!isRefusal(nics.delete(nic, NO_EFFECTS))) return;
    world.operations.begin({
      durationMs: NIC_FREE_AGAIN_MS,
      effects: NO_EFFECTS,
      succeed: () => this.#dropNic(id),
    });
  }
}
