import type { NodeSelectorTerm } from './selectors.ts';
import type { ObjectMeta } from './object-meta.ts';

/** An attribute of a device: exactly one of the fields is set. `version`: a semantic version. */
export interface DeviceAttribute {
  readonly int?: number;
  readonly bool?: boolean;
  readonly string?: string;
  readonly version?: string;
}

/**
 * What an allocation may take of a capacity: one of `validValues`, or of `validRange`. `default`: what it takes when it
 * asks for nothing.
 */
export interface CapacityRequestPolicy {
  readonly default?: string | number;
  readonly validValues?: readonly (string | number)[];
  readonly validRange?: { readonly min?: string | number; readonly max?: string | number; readonly step?: string | number };
}

/** An amount that a device has of something, such as memory. */
export interface DeviceCapacity {
  readonly value: string | number;
  readonly requestPolicy?: CapacityRequestPolicy;
}

/** Amounts of one counter set of the pool that an allocated device takes. */
export interface CounterConsumption {
  readonly counterSet: string;
  readonly counters: Readonly<Record<string, { readonly value: string | number }>>;
}

/** Amounts that the devices of a pool share. */
export interface CounterSet {
  readonly name: string;
  readonly counters: Readonly<Record<string, { readonly value: string | number }>>;
}

/** What a taint of a device does to claims that do not tolerate it. `None`: nothing. */
export interface DeviceTaint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
}

/**
 * A device, as far as allocation reads it. Where the slice has `perDeviceNodeSelection`, the device says itself on
 * which nodes it is.
 */
export interface Device {
  readonly name: string;
  /** Qualified name → attribute. A name without domain is of the driver's domain. */
  readonly attributes?: Readonly<Record<string, DeviceAttribute>>;
  readonly capacity?: Readonly<Record<string, DeviceCapacity>>;
  readonly consumesCounters?: readonly CounterConsumption[];
  readonly nodeName?: string;
  readonly nodeSelector?: DeviceNodeSelector;
  readonly allNodes?: boolean;
  readonly taints?: readonly DeviceTaint[];
  /** The allocation is for the node that was chosen, and no other. */
  readonly bindsToNode?: boolean;
  readonly bindingConditions?: readonly string[];
  /** May be allocated to several requests, as far as its capacity goes. */
  readonly allowMultipleAllocations?: boolean;
}

/** The nodes on which devices are. Terms are ORed. */
export interface DeviceNodeSelector {
  readonly nodeSelectorTerms: readonly NodeSelectorTerm[];
}

/** Devices of one pool, as their driver publishes them (`resource.k8s.io/v1`). */
export interface ResourceSlice {
  readonly metadata: ObjectMeta;
  readonly spec: {
    readonly driver: string;
    /** A driver publishes a change of a pool under a higher generation; the slices of lower ones are obsolete. */
    readonly pool: { readonly name: string; readonly generation?: number; readonly resourceSliceCount?: number };
    readonly nodeName?: string;
    readonly nodeSelector?: DeviceNodeSelector;
    readonly allNodes?: boolean;
    readonly perDeviceNodeSelection?: boolean;
    readonly devices?: readonly Device[];
    readonly sharedCounters?: readonly CounterSet[];
  };
}

/** A CEL expression about a device. */
export interface DeviceSelector {
  readonly cel?: { readonly expression: string };
}

/** Devices of one sort, by what an administrator says of them. */
export interface DeviceClass {
  readonly metadata: ObjectMeta;
  readonly spec: { readonly selectors?: readonly DeviceSelector[]; readonly extendedResourceName?: string };
}

/** What a claim tolerates of the taints of devices. */
export interface DeviceToleration {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
}

/** A request for devices of one class. */
export interface ExactDeviceRequest {
  readonly deviceClassName: string;
  readonly selectors?: readonly DeviceSelector[];
  /** Default `ExactCount`. `All`: every device that matches. */
  readonly allocationMode?: string;
  /** Default 1. */
  readonly count?: number;
  /** Access to devices that others use, for their supervision. */
  readonly adminAccess?: boolean;
  readonly tolerations?: readonly DeviceToleration[];
  readonly capacity?: { readonly requests?: Readonly<Record<string, string | number>> };
}

/** One request of a claim: `exactly`, or the first of `firstAvailable` that can be had. */
export interface DeviceRequest {
  readonly name: string;
  readonly exactly?: ExactDeviceRequest;
  readonly firstAvailable?: readonly (ExactDeviceRequest & { readonly name: string })[];
}

/** What the devices of some requests (default: all) have in common, or what distinguishes each from all others. */
export interface DeviceConstraint {
  readonly requests?: readonly string[];
  readonly matchAttribute?: string;
  readonly distinctAttribute?: string;
}

/** The content of a claim. */
export interface ResourceClaimSpec {
  readonly devices?: { readonly requests?: readonly DeviceRequest[]; readonly constraints?: readonly DeviceConstraint[] };
}

/** A device that a claim was given. */
export interface DeviceAllocationResult {
  readonly request: string;
  readonly driver: string;
  readonly pool: string;
  readonly device: string;
  readonly adminAccess?: boolean;
  /** Of a device that several requests may share: what this one takes. */
  readonly consumedCapacity?: Readonly<Record<string, string | number>>;
}

/** Who may use an allocated claim. */
export interface ClaimConsumer {
  readonly apiGroup?: string;
  readonly resource: string;
  readonly name: string;
  readonly uid: string;
}

/** Devices that one or more pods ask for. */
export interface ResourceClaim {
  readonly metadata: ObjectMeta;
  readonly spec: ResourceClaimSpec;
  readonly status?: {
    /** Absent: not allocated. */
    readonly allocation?: {
      readonly devices?: { readonly results?: readonly DeviceAllocationResult[] };
      readonly nodeSelector?: DeviceNodeSelector;
    };
    readonly reservedFor?: readonly ClaimConsumer[];
  };
}

/** What claims are made of, one for each pod. */
export interface ResourceClaimTemplate {
  readonly metadata: ObjectMeta;
  readonly spec: { readonly spec: ResourceClaimSpec };
}
