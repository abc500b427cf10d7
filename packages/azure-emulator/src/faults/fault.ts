import type { ArmRefusal } from './arm-error.ts';
import type { VmCapacityType } from '../compute/vms/vm-record.ts';

/** What goes wrong. */
export type ArmFaultEffect =
  /** The request is refused at once. A refusal with `retryAfterSeconds` carries a Retry-After header. */
  | { readonly kind: 'refuse'; readonly refusal: ArmRefusal }
  /**
   * The request is accepted and the asynchronous operation fails; `afterBoot` lets the machine run first. Source:
   * Azure/karpenter-provider-azure#1907, Azure/AKS#4553 (`OSProvisioningTimedOut` of machines that have joined).
   */
  | { readonly kind: 'fail'; readonly refusal: ArmRefusal; readonly afterBoot?: boolean }
  /** The asynchronous operation (or a synchronous answer) takes this much longer, and then comes out as it would have. */
  | { readonly kind: 'delay'; readonly byMs: number }
  /** The operation never ends: polls answer InProgress for ever, the resource does not change. */
  | { readonly kind: 'lose' }
  /** The connection is reset, before or after the request took effect. */
  | { readonly kind: 'reset'; readonly when: 'before' | 'after' };

/** Which requests a fault meets: all fields that are given must match, ignoring case. */
export interface FaultMatch {
  /** `VirtualMachines_CreateOrUpdate`, `NetworkInterfaces_Delete`, … */
  readonly operation?: string;
  /** The last segment of the resource's id. */
  readonly name?: string;
  readonly vmSize?: string;
  /** `'1'`, or `''` for regional. */
  readonly zone?: string;
  readonly capacityType?: VmCapacityType;
}

/** A fault and how long it lasts: the first `times` matching requests, or each with `probability`, or for ever. */
export interface FaultRule extends FaultMatch {
  readonly effect: ArmFaultEffect;
  readonly times?: number;
  /** 0..1, drawn from the emulator's seed. */
  readonly probability?: number;
}

/** What a request is about, as faults match on it. */
export interface FaultSubject {
  readonly operation: string;
  readonly name: string;
  readonly vmSize?: string | undefined;
  readonly zone?: string | undefined;
  readonly capacityType?: VmCapacityType | undefined;
}
