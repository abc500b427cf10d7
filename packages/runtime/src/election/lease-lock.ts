import type { KubeClient } from '../client/kube-client.ts';
import { KubeError } from '../client/kube-error.ts';
import type { Clock } from '../clock/clock.ts';
import type { ObjectKey } from '../objects/object-key.ts';
import { apiVersionOf } from '../objects/resource-kind.ts';
import { leaseKind } from '../objects/builtin-kinds.ts';
import type { Lease } from './lease.ts';
import { claimOf, type ObservedLease } from './lease-claim.ts';

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
  let observed: ObservedLease | undefined;

  const observe = (lease: Lease | undefined): void => {
    const isSame = lease !== undefined && lease.metadata.resourceVersion === observed?.lease.metadata.resourceVersion;
    if (!isSame) observed = lease === undefined ? undefined : { lease, changedAtMs: clock.now() };
  };

  const write = async (spec: Lease['spec'], signal: AbortSignal): Promise<boolean> => {
    const fresh: Lease = {
      apiVersion: apiVersionOf(leaseKind),
      kind: leaseKind.kind,
      metadata: key,
      ...(spec === undefined ? {} : { spec }),
    };
    try {
      const old = observed?.lease;
      const written =
        old === undefined
          ? await client.create<Lease>('Lease', fresh, { signal })
          : await client.update<Lease>('Lease', { ...old, ...(spec === undefined ? {} : { spec: { ...old.spec, ...spec } }) }, { signal });
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
      const claim = claimOf(observed, { identity, nowMs: clock.now(), leaseDurationMs });
      return claim.kind === 'write' && write(claim.spec, signal);
    },
    async release(signal) {
      observe(await client.get<Lease>('Lease', key, { signal }));
      if (observed?.lease.spec?.holderIdentity !== identity) return;
      await write({ ...observed.lease.spec, holderIdentity: '', leaseDurationSeconds: 1 }, signal);
    },
  };
};
