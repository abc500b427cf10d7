import type { KubeClient } from '../client/verbs/kube-client.ts';
import { KubeError } from '../client/kube-error.ts';
import type { Clock } from '../clock/clock.ts';
import { steadyNow } from '../clock/steady-clock.ts';
import type { ObjectKey } from '../objects/object-key.ts';
import { apiVersionOf, leaseKind } from '../objects/resource-kind.ts';
import { type Lease, leaseClaimOf } from './lease-claim.ts';

type LeaseSpec = NonNullable<Lease['spec']>;

/** What a lock needs. */
export interface LeaseLockOptions {
  readonly client: Pick<KubeClient, 'get' | 'create' | 'update'>;
  readonly clock: Clock;
  readonly lease: ObjectKey;
  readonly identity: string;
  readonly leaseDurationMs: number;
}

/** A Lease as a lock among replicas. */
export interface LeaseLock {
  /** Takes or renews. False: somebody else holds it, or wrote first. Throws KubeErrors. */
  tryHold(signal: AbortSignal): Promise<boolean>;
  /** Lets others take it at once. Does nothing when it is not held. Throws KubeErrors. */
  release(signal: AbortSignal): Promise<void>;
}

/** A lock that this process does not hold yet. Every write names the version it read, so that of two writers one loses. */
export const leaseLock = ({ client, clock, lease: key, identity, leaseDurationMs }: LeaseLockOptions): LeaseLock => {
  const steadyMs = steadyNow(clock);
  let observed: { readonly lease: Lease; readonly changedAtMs: number } | undefined;

  const observe = (lease: Lease | undefined): void => {
    const isSame = lease !== undefined && lease.metadata.resourceVersion === observed?.lease.metadata.resourceVersion;
    if (!isSame) observed = lease === undefined ? undefined : { lease, changedAtMs: steadyMs() };
  };

  const put = (spec: LeaseSpec, signal: AbortSignal): Promise<Lease | undefined> =>
    observed === undefined
      ? client.create<Lease>('Lease', { apiVersion: apiVersionOf(leaseKind), kind: leaseKind.kind, metadata: key, spec }, { signal })
      : client.update<Lease>('Lease', { ...observed.lease, spec }, { signal });

  const write = async (spec: LeaseSpec, signal: AbortSignal): Promise<boolean> => {
    try {
      const written = await put(spec, signal);
      observe(written);
      return written !== undefined;
    } catch (error) {
      if (error instanceof KubeError && (error.code === 'conflict' || error.code === 'already-exists')) return false;
      throw error;
    }
  };

  return {
    async tryHold(signal) {
      observe(await client.get<Lease>('Lease', key, { signal }));
      const seen = observed && { lease: observed.lease, unchangedMs: steadyMs() - observed.changedAtMs };
      const claim = leaseClaimOf(seen, { identity, nowMs: clock.now(), leaseDurationMs });
      return claim.kind === 'write' && write({ ...observed?.lease.spec, ...claim.spec }, signal);
    },
    async release(signal) {
      observe(await client.get<Lease>('Lease', key, { signal }));
      const { holderIdentity, ...rest } = observed?.lease.spec ?? {};
      // Left out, not empty: the API server refuses a holder without a name.
      if (holderIdentity === identity) await write({ ...rest, leaseDurationSeconds: 1 }, signal);
    },
  };
};
