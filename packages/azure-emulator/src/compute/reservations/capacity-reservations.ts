import { idKey } from '../../arm-id.ts';
import { ArmEmulatorError } from '../../arm-emulator-error.ts';
import { type ArmRefusal, refusal } from '../../faults/arm-error.ts';
import type { ArmWorld } from '../../world.ts';
import type { QuotaLedger } from '../quota-ledger.ts';
import type { ReservationEntry, ReservationGroupEntry } from './reservation-entry.ts';
import { capabilityNumberOf, type SkuCatalog } from '../sizes/sku-catalog.ts';
import type { VmBody } from '../vms/vm-body.ts';
import { vmCapacityTypeOf, type VmEntry } from '../vms/vm-entry.ts';

/** Where a reservation is found. */
export interface CapacityReservationName {
  /** Of the capacity reservation group, in the resource group of the cluster. */
  readonly group: string;
  readonly name: string;
}

/** Machines of one size that Azure is to keep. */
export interface ReservationOrder extends CapacityReservationName {
  readonly size: string;
  /** Logical (`'1'`); absent: for machines in no zone. */
  readonly zone?: string;
  readonly quantity: number;
}

/** Capacity that is kept for the subscription, as somebody with the portal makes it. What is kept counts against the quota. */
export interface ReservedCapacity {
  /**
   * Makes a reservation, and its group where there is none; gives the group's ARM id. Errors: `ArmEmulatorError` with
   * `ImpossibleReservation` for what is not sold or has no quota.
   */
  reserve(order: ReservationOrder): string;
  /** Machines that are there stay, beyond what is kept. Errors: as `reserve`, and for a reservation that is not there. */
  resize(which: CapacityReservationName, quantity: number): void;
  /**
   * Errors: `ArmEmulatorError` with `ImpossibleReservation` while machines are associated with it, or where it is not
   * there.
   */
  release(which: CapacityReservationName): void;
}

const impossible = (why: string): ArmEmulatorError => new ArmEmulatorError('ImpossibleReservation', why);

const invalid = (message: string): ArmRefusal => ({
  status: 400,
  error: { code: 'InvalidParameter', message, target: 'capacityReservation.capacityReservationGroup.id' },
});

const groupIdIn = (body: VmBody): string | undefined => body.properties.capacityReservation?.capacityReservationGroup?.id;

/** Of the quota a reservation takes what it keeps, and what was made beyond that. */
const machinesCounted = ({ associated }: ReservationEntry, quantity: number): number => Math.max(quantity, associated.size);

/** The capacity reservation groups of one emulator. */
export class CapacityReservations implements ReservedCapacity {
  readonly #world: ArmWorld;
  readonly #catalog: SkuCatalog;
  readonly #quota: QuotaLedger;
  readonly #groups = new Map<string, ReservationGroupEntry>();

  constructor({ world, catalog, quota }: { world: ArmWorld; catalog: SkuCatalog; quota: QuotaLedger }) {
    this.#world = world;
    this.#catalog = catalog;
    this.#quota = quota;
  }

  find(groupId: string): ReservationGroupEntry | undefined {
    return this.#groups.get(idKey(groupId));
  }

  reserve({ group: groupName, name, size, zone, quantity }: ReservationOrder): string {
    const group = this.#groupCalled(groupName);
    if (group.reservations.has(name)) throw impossible(`there is a reservation "${name}" in ${group.id}`);
    const sku = this.#catalog.find(size);
    if (sku === undefined || (zone !== undefined && !sku.locationInfo.some(({ zones }) => zones.includes(zone))))
      throw impossible(`${size} is not sold in ${zone === undefined ? group.location : `zone ${zone} of ${group.location}`}`);
    const entry: ReservationEntry = {
      id: `${group.id}/capacityReservations/${name}`,
      name,
      reservationId: this.#world.ids.uuid('reservation'),
      size: sku.name,
      zone,
      claim: { family: sku.family, vCpus: capabilityNumberOf(sku, 'vCPUs'), capacityType: 'on-demand' },
      quantity: 0,
      associated: new Set(),
    };
    this.#setQuantity(entry, quantity);
    group.reservations.set(name, entry);
    this.#groups.set(idKey(group.id), group);
    return group.id;
  }

  resize(which: CapacityReservationName, quantity: number): void {
    this.#setQuantity(this.#entryOf(which), quantity);
  }

  release(which: CapacityReservationName): void {
    const entry = this.#entryOf(which);
    if (entry.associated.size > 0) throw impossible(`${entry.id} has machines that are associated with it`);
    this.#setQuantity(entry, 0);
    this.#groupCalled(which.group).reservations.delete(which.name);
  }

  /** Why a machine cannot be made out of the group that it names, or undefined. */
  refusalOf(body: VmBody): ArmRefusal | undefined {
    const groupId = groupIdIn(body);
    if (groupId === undefined) return undefined;
    if (this.find(groupId) === undefined) return refusal(404, 'NotFound', `Capacity reservation group ${groupId} was not found.`);
    if (vmCapacityTypeOf(body) === 'spot')
      return invalid('Azure Spot Virtual Machines cannot be associated with a capacity reservation group.');
    if (body.properties.additionalCapabilities?.ultraSSDEnabled === true)
      return invalid('UltraSSD is not supported for virtual machines that are associated with a capacity reservation group.');
    if (this.#backing(body) !== undefined) return undefined;
    const { vmSize } = body.properties.hardwareProfile;
    return invalid(
      `Capacity reservation group ${groupId} has no capacity reservation of VM size ${vmSize} in ${body.zones?.[0] ?? 'no zone'}.`,
    );
  }

  /**
   * Whether such a machine, were it made or ended, would not change the quota: what is kept was counted when it was
   * reserved.
   */
  isCounted(body: VmBody, machines: 'made' | 'ended'): boolean {
    const entry = this.#backing(body);
    return entry !== undefined && entry.associated.size + (machines === 'made' ? 1 : 0) <= entry.quantity;
  }

  associate(vm: VmEntry): void {
    this.#backing(vm.body)?.associated.add(vm);
  }

  dissociate(vm: VmEntry): void {
    this.#backing(vm.body)?.associated.delete(vm);
  }

  /** The reservation of the machine's size and zone in the group that it names. */
  #backing(body: VmBody): ReservationEntry | undefined {
    const groupId = groupIdIn(body);
    const entries = groupId === undefined ? [] : [...(this.find(groupId)?.reservations.values() ?? [])];
    const size = body.properties.hardwareProfile.vmSize.toLowerCase();
    return entries.find((entry) => entry.size.toLowerCase() === size && entry.zone === body.zones?.[0]);
  }

  #groupCalled(name: string): ReservationGroupEntry {
    const { subscriptionId, clusterResourceGroup, location } = this.#world.account;
    const id = `/subscriptions/${subscriptionId}/resourceGroups/${clusterResourceGroup}/providers/Microsoft.Compute/capacityReservationGroups/${name}`;
    return this.find(id) ?? { id, name, location, reservations: new Map() };
  }

  #entryOf({ group, name }: CapacityReservationName): ReservationEntry {
    const entry = this.#groupCalled(group).reservations.get(name);
    if (entry === undefined) throw impossible(`there is no reservation "${name}" in the capacity reservation group "${group}"`);
    return entry;
  }

  #setQuantity(entry: ReservationEntry, quantity: number): void {
    const before = machinesCounted(entry, entry.quantity);
    const after = machinesCounted(entry, quantity);
    const { vCpus, ...ofMachine } = entry.claim;
    const claim = { ...ofMachine, vCpus: vCpus * Math.abs(after - before) };
    const refused = after > before ? this.#quota.take(claim) : undefined;
    if (refused !== undefined) throw impossible(refused.error.message);
    if (after < before) this.#quota.putBack(claim);
    entry.quantity = quantity;
  }
}
