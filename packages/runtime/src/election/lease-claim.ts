import { type KubeObject, microTime } from '../objects/kube-object.ts';

/** `coordination.k8s.io/v1` Lease, the parts that a leader election reads and writes. Times are MicroTime strings. */
export interface Lease extends KubeObject {
  readonly spec?: {
    readonly holderIdentity?: string;
    readonly leaseDurationSeconds?: number;
    readonly acquireTime?: string;
    readonly renewTime?: string;
    readonly leaseTransitions?: number;
  };
}

/** A lease, and for how long this process has not seen it change. Only the local clock counts: clocks of replicas differ. */
export interface ObservedLease {
  readonly lease: Lease;
  readonly unchangedMs: number;
}

/** Who asks for a lease, and when. */
export interface LeaseClaimant {
  readonly identity: string;
  readonly nowMs: number;
  readonly leaseDurationMs: number;
}

/** May the claimant write itself in? `held` is somebody else's lease that has not run out. */
export type LeaseClaim =
  { readonly kind: 'write'; readonly spec: NonNullable<Lease['spec']> } | { readonly kind: 'held'; readonly by: string };

const FALLBACK_DURATION_SECONDS = 15;

const isFree = ({ lease, unchangedMs }: ObservedLease): boolean => {
  const { holderIdentity = '', leaseDurationSeconds = FALLBACK_DURATION_SECONDS } = lease.spec ?? {};
  return holderIdentity === '' || unchangedMs >= leaseDurationSeconds * 1000;
};

const freshSpec = ({ identity, nowMs, leaseDurationMs }: LeaseClaimant): NonNullable<Lease['spec']> => ({
  holderIdentity: identity,
  leaseDurationSeconds: Math.ceil(leaseDurationMs / 1000),
  acquireTime: microTime(nowMs),
  renewTime: microTime(nowMs),
  leaseTransitions: 0,
});

/** What a claimant may do with a lease; `observed` is `undefined` when there is none. Pure. */
export const leaseClaimOf = (observed: ObservedLease | undefined, claimant: LeaseClaimant): LeaseClaim => {
  const fresh = freshSpec(claimant);
  if (observed === undefined) return { kind: 'write', spec: fresh };
  const { holderIdentity = '', acquireTime = fresh.acquireTime, leaseTransitions = 0 } = observed.lease.spec ?? {};
  if (holderIdentity === claimant.identity)
    return { kind: 'write', spec: { ...fresh, ...(acquireTime === undefined ? {} : { acquireTime }), leaseTransitions } };
  if (!isFree(observed)) return { kind: 'held', by: holderIdentity };
  return { kind: 'write', spec: { ...fresh, leaseTransitions: leaseTransitions + 1 } };
};
