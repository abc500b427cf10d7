import type { CounterSet, Device } from '../kube/index.ts';

/** Devices that a driver will publish of a machine; like a ResourceSlice, but of a machine that does not exist yet. */
export interface ResourceSliceTemplate {
  readonly driver: string;
  /** Templates with one driver and pool are of one pool. Names need to be unique within the instance type only. */
  readonly pool: string;
  readonly devices?: readonly Device[];
  readonly sharedCounters?: readonly CounterSet[];
}

/** Devices that will have one value of an attribute, though the value is not known before the machine runs. */
export interface AttributeBinding {
  /** The attribute's full name. */
  readonly attribute: string;
  /** At least two. */
  readonly devices: readonly { readonly driver: string; readonly pool: string; readonly device: string }[];
}

/** The devices that machines of an instance type bring, for pods with ResourceClaims. */
export interface DynamicResources {
  readonly resourceSliceTemplates: readonly ResourceSliceTemplate[];
  readonly attributeBindings?: readonly AttributeBinding[];
}
