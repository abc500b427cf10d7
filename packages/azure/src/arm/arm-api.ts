import type { VirtualMachine, VirtualMachineExtension, VirtualMachineUpdate } from '@azure/arm-compute';
import type { LoadBalancer, NetworkInterface } from '@azure/arm-network';
import type { ImageDefinition, NodeImageVersion, PublishedVersion } from '../images/index.ts';
import type { RetailPrice } from '../pricing/index.ts';
import type { Usage } from '../quota/index.ts';
import type { GroupReading } from '../reservations/index.ts';
import type { ResourceSku } from '../skus/index.ts';

/** A resource as Resource Graph lists it. */
export interface GraphRow {
  readonly id: string;
  readonly name: string;
  readonly tags: Readonly<Record<string, string>>;
  /** The same tree as in ARM. */
  readonly properties: Readonly<Record<string, unknown>>;
  readonly zones: readonly string[];
}

/** A managed disk that no machine holds. */
export interface LooseDisk {
  readonly name: string;
  readonly createdAtMs: number;
  /** The version of a gallery's image that it was made from, as a disk to boot from; a disk of data has none. */
  readonly imageId: string | undefined;
}

/** IPv4 addresses of a subnet, without those that Azure keeps. */
export interface SubnetSpace {
  readonly total: number;
  readonly free: number;
}

/** How likely Azure says that one spot machine of a size can be made. */
export interface PlacementScore {
  readonly size: string;
  /** The logical zone (`1`). */
  readonly zone: string;
  readonly score: 'High' | 'Medium' | 'Low';
}

/**
 * What the provider asks of Azure, in the node resource group where nothing else is said. Absence is `undefined`; every
 * failure is an `ArmError`.
 */
export interface ArmApi {
  getVm(name: string, signal: AbortSignal): Promise<VirtualMachine | undefined>;
  /**
   * Every machine of the group with the ids of its extensions (`resources`); what ARM knows now, unlike Resource Graph.
   * A call for each page.
   */
  listVms(signal: AbortSignal): Promise<readonly VirtualMachine[]>;
  /** Resolves when ARM has accepted the machine; one that is there already does not change. */
  putVm(name: string, body: VirtualMachine, signal: AbortSignal): Promise<'accepted' | 'exists'>;
  /** Changes tags and identities; resolves when that is done. Throws the `ArmError` that it failed with. */
  updateVm(name: string, change: Pick<VirtualMachineUpdate, 'tags' | 'identity'>, signal: AbortSignal): Promise<void>;
  /**
   * Resolves when the machine is no longer being made: whether it is there. Throws the `ArmError` that it failed with,
   * also when somebody else had asked for the machine.
   */
  vmMade(name: string, signal: AbortSignal): Promise<boolean>;
  /** Resolves when the machine is no longer being deleted. */
  vmGone(name: string, signal: AbortSignal): Promise<void>;
  /** Resolves when ARM has accepted the end of the machine, by force. */
  deleteVm(name: string, signal: AbortSignal): Promise<void>;
  putExtension(
    vm: string,
    extension: { readonly name: string; readonly body: VirtualMachineExtension },
    signal: AbortSignal,
  ): Promise<void>;
  /**
   * Resolves when an extension is no longer at work: whether it is there. Throws the `ArmError` that it failed with,
   * also when somebody else had put it.
   */
  extensionDone(vm: string, name: string, signal: AbortSignal): Promise<boolean>;
  /** Undefined: there is no such extension. Lists of machines do not say. */
  extensionState(vm: string, name: string, signal: AbortSignal): Promise<string | undefined>;
  /** Undefined: there is no such extension. */
  getExtension(vm: string, name: string, signal: AbortSignal): Promise<VirtualMachineExtension | undefined>;
  /** Resolves when that is done; an extension that is not there gets no tags. Throws the `ArmError` that it failed with. */
  tagExtension(
    vm: string,
    extension: { readonly name: string; readonly tags: Readonly<Record<string, string>> },
    signal: AbortSignal,
  ): Promise<void>;
  getNic(name: string, signal: AbortSignal): Promise<NetworkInterface | undefined>;
  /** Resolves when the interface is there. */
  putNic(name: string, body: NetworkInterface, signal: AbortSignal): Promise<void>;
  /** An interface that is not there gets no tags. */
  tagNic(name: string, tags: Readonly<Record<string, string>>, signal: AbortSignal): Promise<void>;
  deleteNic(name: string, signal: AbortSignal): Promise<void>;
  listLooseDisks(signal: AbortSignal): Promise<readonly LooseDisk[]>;
  deleteDisk(name: string, signal: AbortSignal): Promise<void>;
  listLoadBalancers(signal: AbortSignal): Promise<readonly LoadBalancer[]>;
  /** Ids and names. */
  listNetworkSecurityGroups(signal: AbortSignal): Promise<readonly { readonly id?: string; readonly name?: string }[]>;
  /** Address ranges of a subnet by its ARM id; undefined: there is no such subnet. */
  subnetPrefixes(subnetId: string, signal: AbortSignal): Promise<readonly string[] | undefined>;
  /**
   * Addresses of each subnet in the network of a subnet: by ARM id in lower case, empty if the network does not exist.
   * One call.
   */
  subnetSpaces(subnetId: string, signal: AbortSignal): Promise<ReadonlyMap<string, SubnetSpace>>;
  /** By its ARM id. */
  hasDiskEncryptionSet(id: string, signal: AbortSignal): Promise<boolean>;
  /** A capacity reservation group by its ARM id, with what is used of it. Two calls. */
  readReservationGroup(id: string, signal: AbortSignal): Promise<GroupReading | undefined>;
  /** The GUID of the network that a subnet is in. */
  vnetGuidOf(subnetId: string, signal: AbortSignal): Promise<string | undefined>;
  listSkus(signal: AbortSignal): Promise<readonly ResourceSku[]>;
  listUsages(signal: AbortSignal): Promise<readonly Usage[]>;
  /** Of up to five sizes, in each zone; sizes without a score are left out. One call. */
  spotPlacementScores(sizes: readonly string[], signal: AbortSignal): Promise<readonly PlacementScore[]>;
  listImageVersions(image: ImageDefinition, signal: AbortSignal): Promise<readonly PublishedVersion[]>;
  /** What AKS itself would give to nodes of the location, in its shared galleries. */
  listNodeImages(signal: AbortSignal): Promise<readonly NodeImageVersion[]>;
  /** All rows of a Kusto query. */
  queryGraph(query: string, signal: AbortSignal): Promise<readonly GraphRow[]>;
  /** Undefined where there is no price API. */
  listRetailPrices(signal: AbortSignal): Promise<readonly RetailPrice[] | undefined>;
}
