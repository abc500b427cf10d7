/** What goes wrong with a launch. */
export type LaunchFault =
  /** The offering is out of stock. */
  | ({ readonly kind: 'insufficient-capacity' } & WhenItShows)
  /** The offering is out of stock, and the claim may have the next one. */
  | { readonly kind: 'offering-unavailable' }
  /** The launch is refused for another reason. */
  | ({ readonly kind: 'failing'; readonly message: string } & WhenItShows)
  /** The answer takes this much longer. */
  | { readonly kind: 'slow'; readonly byMs: number }
  /** The machine is made and its node never comes. */
  | { readonly kind: 'lost' }
  /** The machine is made, its node comes, and is never ready. */
  | { readonly kind: 'never-ready' }
  | { readonly kind: 'throttled'; readonly retryAfterMs: number };

/** Whether the cloud refuses a launch, or accepts it and fails to make the machine. */
interface WhenItShows {
  /**
   * How long after the launch was accepted; a machine that boots sooner becomes a node before it fails. Default: it is
   * refused.
   */
  readonly laterMs?: number;
}

/** Which launches a fault meets; every field that is given must match. */
export interface LaunchFaultRule {
  readonly fault: LaunchFault;
  readonly instanceType?: string;
  readonly zone?: string;
  readonly capacityType?: string;
  /** Default: until it is disposed. */
  readonly times?: number;
}

/** One way to buy a machine. */
export interface OfferingName {
  readonly instanceType: string;
  readonly zone: string;
  readonly capacityType: string;
}

/** The faults of a simulated cloud, programmable while it runs. */
export interface CloudFaults {
  add(rule: LaunchFaultRule): Disposable;
  /** The fault that befalls a launch of the offering, used up by being asked for. */
  befall(offering: OfferingName): LaunchFault | undefined;
}

const meets = (rule: LaunchFaultRule, offering: OfferingName): boolean =>
  (rule.instanceType ?? offering.instanceType) === offering.instanceType &&
  (rule.zone ?? offering.zone) === offering.zone &&
  (rule.capacityType ?? offering.capacityType) === offering.capacityType;

export const createCloudFaults = (): CloudFaults => {
  const active = new Map<LaunchFaultRule, number>();
  return {
    add: (rule) => {
      active.set(rule, rule.times ?? Infinity);
      return { [Symbol.dispose]: () => void active.delete(rule) };
    },
    befall: (offering) => {
      for (const [rule, left] of active) {
        if (!meets(rule, offering)) continue;
        if (left <= 1) active.delete(rule);
        else active.set(rule, left - 1);
        return rule.fault;
      }
      return undefined;
    },
  };
};
