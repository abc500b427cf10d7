import { idKey, nameOf } from '../arm-id.ts';
import type { ArmRefusal } from '../faults/arm-error.ts';
import type { ArmFaultEffect } from '../faults/fault.ts';
import type { WriteLog } from '../graph/write-log.ts';
import { nicResource, type NicEntry } from './nic-entry.ts';
import type { NicBody } from './nic-body.ts';
import { invalidReference, nicInUse, nicReserved, notProvisioned, subnetIsFull } from './network-refusals.ts';
import { addressesOf, ipv6Refusal, isIPv6 } from './ipv6-configurations.ts';
import { NetworkWriters } from './network-writes.ts';
import type { NetworkTopology } from './topology.ts';
import type { AsyncOperation } from '../operations/async-operations.ts';
import type { ArmWorld } from '../world.ts';

/** How long Azure keeps a network interface for the VM whose creation failed. */
export const NIC_RESERVED_MS = 180_000;

export interface NicPut {
  readonly id: string;
  readonly resourceGroup: string;
  readonly body: NicBody;
  readonly effects: readonly ArmFaultEffect[];
  /** Azure itself asks, and waits until the network is free. */
  readonly isAzures?: boolean;
}

export interface NicAccepted {
  readonly nic: NicEntry;
  readonly created: boolean;
  readonly operation: AsyncOperation;
}

/** The network interfaces of one emulator and what may be done to each. */
export class NetworkInterfaces {
  readonly #world: ArmWorld;
  readonly #topology: NetworkTopology;
  readonly #writes: WriteLog;
  readonly #entries = new Map<string, NicEntry>();
  /** Writes to what interfaces name. */
  readonly writers: NetworkWriters;

  constructor(world: ArmWorld, topology: NetworkTopology, writes: WriteLog) {
    this.#world = world;
    this.#topology = topology;
    this.#writes = writes;
    this.writers = new NetworkWriters(world);
  }

  find(id: string): NicEntry | undefined {
    return this.#entries.get(idKey(id));
  }

  all(): readonly NicEntry[] {
    return [...this.#entries.values()];
  }

  put(put: NicPut): NicAccepted | ArmRefusal {
    const refusal = this.#referenceRefusal(put) ?? (put.isAzures === true ? undefined : this.writers.refusal(put.id, put.body));
    if (refusal) return refusal;
    const known = this.find(put.id);
    if (known?.state === 'Deleting') return this.#busy(put.id);
    const nic = known ?? this.#create(put);
    if ('status' in nic) return nic;
    nic.body = put.body;
    nic.state = 'Updating';
    const operation = this.#begin(nic, put.effects);
    this.wrote(nic);
    return { nic, created: known === undefined, operation };
  }

  tag(nic: NicEntry, tags: Readonly<Record<string, string>>): void {
    nic.body = { ...nic.body, tags };
    this.wrote(nic);
  }

  /** Starts a deletion, unless the interface is in use or kept for another VM. */
  delete(nic: NicEntry, effects: readonly ArmFaultEffect[]): AsyncOperation | ArmRefusal {
    if (nic.vmId !== undefined) return nicInUse(nic.id, nic.vmId);
    if (this.#isReserved(nic)) return nicReserved(nic.id, nic.reservation?.vmId ?? '');
    const underWay = nic.state === 'Deleting' ? this.#world.operations.underWay(nic.operationId) : undefined;
    if (underWay) return underWay;
    this.#world.operations.preempt(nic.operationId);
    nic.state = 'Deleting';
    const operation = this.#world.operations.begin({
      durationMs: this.#world.latencies.nicDeleteMs,
      effects,
      succeed: () => this.remove(nic),
      fail: () => this.#settle(nic, 'Failed'),
    });
    nic.operationId = operation.id;
    this.wrote(nic);
    return operation;
  }

  /** Why a VM may not take an interface, or undefined. */
  attachRefusal(nicId: string, vmId: string): ArmRefusal | undefined {
    const nic = this.find(nicId);
    if (nic === undefined || nic.state === 'Deleting') return invalidReference(nicId, vmId);
    if (nic.vmId !== undefined && idKey(nic.vmId) !== idKey(vmId)) return nicInUse(nic.id, nic.vmId);
    if (nic.state !== 'Succeeded') return notProvisioned(nic, vmId);
    const reservedFor = nic.reservation?.vmId;
    if (this.#isReserved(nic) && reservedFor !== undefined && idKey(reservedFor) !== idKey(vmId)) return nicReserved(nic.id, reservedFor);
    return undefined;
  }

  attach(nic: NicEntry, vmId: string): void {
    nic.vmId = vmId;
    nic.reservation = undefined;
    this.wrote(nic);
  }

  detach(nic: NicEntry): void {
    nic.vmId = undefined;
    this.wrote(nic);
  }

  /** Keeps an interface for the VM whose creation just failed. */
  reserve(nic: NicEntry, vmId: string): void {
    nic.reservation = { vmId, untilMs: this.#world.clock.now() + NIC_RESERVED_MS };
  }

  remove(nic: NicEntry): void {
    this.#topology
      .subnet(nic.body.properties.ipConfigurations[0]?.properties.subnet.id ?? '')
      ?.putBack(nic.addresses.filter((address) => !address.includes(':')));
    this.#entries.delete(idKey(nic.id));
    this.#writes.deleted(nic.id);
  }

  wrote(nic: NicEntry): void {
    this.#writes.wrote(nicResource(nic));
  }

  #isReserved(nic: NicEntry): boolean {
    return nic.reservation !== undefined && nic.reservation.untilMs > this.#world.clock.now();
  }

  #referenceRefusal({ id, body }: NicPut): ArmRefusal | undefined {
    for (const { properties } of body.properties.ipConfigurations) {
      if (this.#topology.subnet(properties.subnet.id) === undefined) return invalidReference(properties.subnet.id, id);
      const pool = (properties.loadBalancerBackendAddressPools ?? []).find((candidate) => !this.#topology.hasBackendPool(candidate.id));
      if (pool) return invalidReference(pool.id, id);
    }
    const family = ipv6Refusal(body.properties.ipConfigurations, this.#topology);
    if (family) return family;
    const group = body.properties.networkSecurityGroup;
    return group && !this.#topology.hasSecurityGroup(group.id) ? invalidReference(group.id, id) : undefined;
  }

  #create({ id, resourceGroup, body }: NicPut): NicEntry | ArmRefusal {
    const configurations = body.properties.ipConfigurations;
    const subnetId = configurations[0]?.properties.subnet.id ?? '';
    const subnet = this.#topology.subnet(subnetId);
    const ofIPv4 = configurations.filter((configuration) => !isIPv6(configuration));
    const taken = subnet?.take(ofIPv4.length);
    if (subnet === undefined || taken === undefined) return subnetIsFull(nameOf(subnetId), subnet?.prefix ?? '', ofIPv4.length);
    const addresses = addressesOf(configurations, taken, this.#topology.ipv6Prefix(subnetId));
    const nic: NicEntry = {
      id,
      name: nameOf(id),
      resourceGroup,
      guid: this.#world.ids.uuid('nic'),
      body,
      addresses,
      state: 'Updating',
      operationId: '',
      vmId: undefined,
      reservation: undefined,
    };
    this.#entries.set(idKey(id), nic);
    return nic;
  }

  #begin(nic: NicEntry, effects: readonly ArmFaultEffect[]): AsyncOperation {
    this.#world.operations.preempt(nic.operationId);
    const operation = this.#world.operations.begin({
      durationMs: this.#world.latencies.nicCreateMs,
      effects,
      succeed: () => this.#settle(nic, 'Succeeded'),
      fail: () => this.#settle(nic, 'Failed'),
    });
    nic.operationId = operation.id;
    return operation;
  }

  #settle(nic: NicEntry, state: 'Succeeded' | 'Failed'): void {
    nic.state = state;
    this.wrote(nic);
  }

  #busy(id: string): ArmRefusal {
    return {
      status: 409,
      error: {
        code: 'AnotherOperationInProgress',
        message: `Another operation on this or dependent resource is in progress: ${id} is being deleted.`,
      },
    };
  }
}
