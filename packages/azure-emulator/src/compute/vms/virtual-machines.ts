import { idKey, nameOf } from '../../arm-id.ts';
import { type ArmRefusal, refusal } from '../../faults/arm-error.ts';
import type { ArmFaultEffect } from '../../faults/fault.ts';
import type { WriteLog } from '../../graph/write-log.ts';
import type { NetworkInterfaces } from '../../network/network-interfaces.ts';
import type { AsyncOperation } from '../../operations/async-operations.ts';
import type { ArmWorld } from '../../world.ts';
import { type Disks, diskResource } from '../disks/disks.ts';
import type { CapacityReservations } from '../reservations/capacity-reservations.ts';
import type { QuotaLedger } from '../quota-ledger.ts';
import { capabilityNumberOf, type SkuCatalog } from '../sizes/sku-catalog.ts';
import type { VmBody, VmIdentity } from './vm-body.ts';
import { vmChangeRefusal } from './vm-change-refusal.ts';
import { vmRefusal } from './vm-refusal.ts';
import { vmCapacityTypeOf, hasBusyExtension, osDiskIdOf, type VmEntry, vmRecordOf, vmResource } from './vm-entry.ts';
import type { VmEvent } from './vm-record.ts';
import { VmListeners } from './vm-listeners.ts';

export interface VmPutRequest {
  readonly id: string;
  readonly subscriptionId: string;
  readonly resourceGroup: string;
  readonly body: VmBody;
  readonly effects: readonly ArmFaultEffect[];
}

export interface VmAccepted {
  readonly vm: VmEntry;
  readonly created: boolean;
  readonly operation: AsyncOperation;
}

/** What the machines of one emulator need of the rest of it. */
export interface VmSurroundings {
  readonly world: ArmWorld;
  readonly nics: NetworkInterfaces;
  readonly disks: Disks;
  readonly catalog: SkuCatalog;
  readonly quota: QuotaLedger;
  readonly reservations: CapacityReservations;
  readonly writes: WriteLog;
}

const concurrentRequest = (): ArmRefusal =>
  refusal(
    409,
    'Conflict',
    'The request failed due to conflict with a concurrent request. To resolve it, please refer to https://aka.ms/activitylog to get more details on the conflicting requests.',
  );

const markedForDeletion = (vm: VmEntry): ArmRefusal =>
  refusal(
    409,
    'OperationNotAllowed',
    `Operation 'write' is not allowed on VM '${vm.name}' since the VM is marked for deletion. You can only retry the Delete operation (or wait for an ongoing one to complete).`,
  );

/** The virtual machines of one emulator, from PUT to the last of a DELETE. */
export class VirtualMachines {
  readonly #around: VmSurroundings;
  readonly #entries = new Map<string, VmEntry>();
  readonly #listeners = new VmListeners();

  constructor(around: VmSurroundings) {
    this.#around = around;
  }

  find(id: string): VmEntry | undefined {
    return this.#entries.get(idKey(id));
  }

  all(): readonly VmEntry[] {
    return [...this.#entries.values()];
  }

  onEvent(listener: (event: VmEvent) => void): Disposable {
    return this.#listeners.add(listener);
  }

  put(put: VmPutRequest): VmAccepted | ArmRefusal {
    const known = this.find(put.id);
    return known ? this.#replace(known, put) : this.#create(put);
  }

  /** Tags replace the machine's; identities are added to it, and taken away by `null`. */
  patch(
    vm: VmEntry,
    change: { readonly tags?: VmBody['tags']; readonly identity?: VmIdentity },
    effects: readonly ArmFaultEffect[],
  ): AsyncOperation | ArmRefusal {
    if (vm.state === 'Deleting') return markedForDeletion(vm);
    if (vm.state === 'Creating' || this.#isHeldByExtension(vm)) return concurrentRequest();
    const identities = { ...vm.body.identity?.userAssignedIdentities, ...change.identity?.userAssignedIdentities };
    const kept = Object.fromEntries(Object.entries(identities).filter(([, value]) => value !== null));
    vm.body = {
      ...vm.body,
      ...(change.tags && { tags: change.tags }),
      ...(change.identity && { identity: { type: change.identity.type, userAssignedIdentities: kept } }),
    };
    return this.#operate(vm, 'Updating', {
      durationMs: this.#around.world.latencies.vmUpdateMs,
      effects,
      succeed: () => this.#settle(vm, 'Succeeded'),
      fail: (failure) => this.#settle(vm, 'Failed', failure),
    });
  }

  /** Starts a deletion; one that is under way is joined. */
  delete(vm: VmEntry, effects: readonly ArmFaultEffect[]): AsyncOperation {
    const { world } = this.#around;
    const underWay = vm.state === 'Deleting' ? world.operations.underWay(vm.operationId) : undefined;
    if (underWay) return underWay;
    return this.#operate(vm, 'Deleting', {
      durationMs: world.latencies.vmDeleteMs,
      effects,
      succeed: () => this.#remove(vm),
      fail: (failure) => this.#settle(vm, 'Failed', failure),
    });
  }

  /** Spot eviction: the notice now, the end later. */
  evict(vm: VmEntry): void {
    const { world } = this.#around;
    const notBeforeMs = world.clock.now() + world.latencies.evictionNoticeMs;
    this.#listeners.emit({ type: 'evicted', vm: vmRecordOf(vm), notBeforeMs });
    world.operations.begin({
      durationMs: world.latencies.evictionNoticeMs,
      effects: [],
      succeed: () => {
        if (this.find(vm.id) === vm) this.delete(vm, []);
      },
    });
  }

  /** Keeps the interfaces that a refused machine named, for a machine of that id only. */
  reserveInterfaces(vmId: string, body: VmBody): void {
    for (const reference of body.properties.networkProfile.networkInterfaces) {
      const nic = this.#around.nics.find(reference.id);
      if (nic && nic.vmId === undefined) this.#around.nics.reserve(nic, vmId);
    }
  }

  wrote(vm: VmEntry): void {
    this.#around.writes.wrote(vmResource(vm));
  }

  /** An extension has run a script on the machine. */
  configured(vm: VmEntry, script: string): void {
    this.#listeners.emit({ type: 'configured', vm: vmRecordOf(vm), script });
  }

  /** Why an extension may not be written now, or undefined. */
  extensionRefusal(vm: VmEntry): ArmRefusal | undefined {
    if (vm.state === 'Deleting') return markedForDeletion(vm);
    const isWritten = vm.state === 'Creating' || vm.state === 'Updating';
    return isWritten && this.#around.world.behaviours.exclusiveVms ? concurrentRequest() : undefined;
  }

  #isHeldByExtension(vm: VmEntry): boolean {
    return this.#around.world.behaviours.exclusiveVms && hasBusyExtension(vm);
  }

  #create(put: VmPutRequest): VmAccepted | ArmRefusal {
    const { world, nics, catalog, quota, reservations } = this.#around;
    const { id, body } = put;
    const size = body.properties.hardwareProfile.vmSize;
    const sku = catalog.find(size);
    if (sku === undefined) {
      return refusal(
        400,
        'InvalidParameter',
        `The value ${size} provided for the VM size is not valid. The valid sizes in the current region are listed by the resource SKUs API.`,
      );
    }
    const refused = vmRefusal({ id, body, sku }, { world, nics, reservations }) ?? this.#diskRefusal(put);
    if (refused) return refused;
    const claim = { family: sku.family, vCpus: capabilityNumberOf(sku, 'vCPUs'), capacityType: vmCapacityTypeOf(body) };
    const overQuota = reservations.isCounted(body, 'made') ? undefined : quota.take(claim);
    if (overQuota) {
      this.reserveInterfaces(id, body);
      return overQuota;
    }
    const vm: VmEntry = {
      id,
      vmId: world.ids.uuid('vm'),
      name: nameOf(id),
      subscriptionId: put.subscriptionId,
      resourceGroup: put.resourceGroup,
      createdMs: world.clock.now(),
      sku,
      claim,
      body,
      state: 'Creating',
      running: false,
      operationId: '',
      failure: undefined,
      privateIpAddress: undefined,
      ipv6Address: undefined,
      extensions: new Map(),
    };
    this.#entries.set(idKey(id), vm);
    reservations.associate(vm);
    this.#attachInterfaces(vm);
    this.#createDisk(vm);
    this.#listeners.emit({ type: 'created', vm: vmRecordOf(vm) });
    return { vm, created: true, operation: this.#boot(vm, put.effects) };
  }

  #replace(vm: VmEntry, put: VmPutRequest): VmAccepted | ArmRefusal {
    if (vm.state === 'Deleting') return markedForDeletion(vm);
    if (this.#isHeldByExtension(vm)) return concurrentRequest();
    const refused = vmChangeRefusal(vm.body, put.body);
    if (refused) return refused;
    vm.body = put.body;
    const underWay = vm.state === 'Creating' ? this.#around.world.operations.underWay(vm.operationId) : undefined;
    return { vm, created: false, operation: underWay ?? this.#boot(vm, put.effects) };
  }

  #boot(vm: VmEntry, effects: readonly ArmFaultEffect[]): AsyncOperation {
    const { latencies } = this.#around.world;
    return this.#operate(vm, vm.running ? 'Updating' : 'Creating', {
      durationMs: vm.running ? latencies.vmUpdateMs : latencies.vmCreateMs,
      effects,
      succeed: () => {
        this.#settle(vm, 'Succeeded');
        this.#start(vm);
      },
      boot: () => this.#start(vm),
      fail: (failure, afterBoot) => {
        this.#settle(vm, 'Failed', failure);
        if (afterBoot) this.#start(vm);
      },
    });
  }

  #operate(vm: VmEntry, state: VmEntry['state'], plan: Parameters<ArmWorld['operations']['begin']>[0]): AsyncOperation {
    const { operations } = this.#around.world;
    operations.preempt(vm.operationId);
    vm.state = state;
    const operation = operations.begin(plan);
    vm.operationId = operation.id;
    this.wrote(vm);
    return operation;
  }

  #start(vm: VmEntry): void {
    if (vm.running) return;
    vm.running = true;
    this.#listeners.emit({ type: 'running', vm: vmRecordOf(vm) });
  }

  #settle(vm: VmEntry, state: VmEntry['state'], failure?: ArmRefusal): void {
    vm.state = state;
    vm.failure = failure?.error;
    this.wrote(vm);
  }

  #diskRefusal({ id, resourceGroup, body }: VmPutRequest): ArmRefusal | undefined {
    const diskId = osDiskIdOf({ id, name: nameOf(id), body });
    if (this.#around.disks.find(diskId) === undefined) return undefined;
    return refusal(
      409,
      'ConflictingUserInput',
      `Disk ${nameOf(diskId)} already exists in resource group ${resourceGroup.toUpperCase()}. Only CreateOption.Attach is supported.`,
    );
  }

  /** An ephemeral OS disk lives on the host and is no resource of its own. */
  #createDisk(vm: VmEntry): void {
    const { osDisk } = vm.body.properties.storageProfile;
    if (osDisk.diffDiskSettings) return;
    const { disks, writes, world } = this.#around;
    const disk = {
      id: osDiskIdOf(vm),
      resourceGroup: vm.resourceGroup,
      location: vm.body.location,
      zones: vm.body.zones,
      sizeGB: osDisk.diskSizeGB ?? 30,
      createdMs: world.clock.now(),
      imageReference: vm.body.properties.storageProfile.imageReference,
      managedBy: vm.id,
    };
    disks.add(disk);
    writes.wrote(diskResource(disk));
  }

  #attachInterfaces(vm: VmEntry): void {
    for (const reference of vm.body.properties.networkProfile.networkInterfaces) {
      const nic = this.#around.nics.find(reference.id);
      if (nic === undefined) continue;
      this.#around.nics.attach(nic, vm.id);
      vm.privateIpAddress ??= nic.addresses[0];
      vm.ipv6Address ??= nic.addresses.find((address) => address.includes(':'));
    }
  }

  #remove(vm: VmEntry): void {
    const { nics, quota, reservations, writes } = this.#around;
    for (const reference of vm.body.properties.networkProfile.networkInterfaces) {
      const nic = nics.find(reference.id);
      if (nic === undefined) continue;
      if (reference.properties?.deleteOption === 'Delete') nics.remove(nic);
      else nics.detach(nic);
    }
    this.#removeDisk(vm);
    if (!reservations.isCounted(vm.body, 'ended')) quota.putBack(vm.claim);
    reservations.dissociate(vm);
    this.#entries.delete(idKey(vm.id));
    writes.deleted(vm.id);
    vm.running = false;
    this.#listeners.emit({ type: 'deleted', vm: vmRecordOf(vm) });
  }

  #removeDisk(vm: VmEntry): void {
    const { disks, writes } = this.#around;
    const disk = disks.find(osDiskIdOf(vm));
    if (disk === undefined) return;
    if (vm.body.properties.storageProfile.osDisk.deleteOption === 'Delete') {
      disks.remove(disk.id);
      writes.deleted(disk.id);
    } else {
      disk.managedBy = undefined;
      writes.wrote(diskResource(disk));
    }
  }
}
