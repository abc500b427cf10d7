import type { KubeClient } from '../client/verbs/kube-client.ts';
import { KubeError } from '../client/kube-error.ts';
import type { Lease } from './lease-claim.ts';

/** One lease behind the verbs of a client, with versions, and an outage at will. */
export interface TestLeaseStore {
  /** A client of the store; each replica gets its own, so that one can be cut off. */
  client(): Pick<KubeClient, 'get' | 'create' | 'update'> & { isCutOff: boolean };
  readonly lease: Lease | undefined;
}

const failure = (code: 'conflict' | 'already-exists' | 'network' | 'invalid'): KubeError => new KubeError(code, { code, cause: undefined });

/** No lease yet. */
export const testLeaseStore = (): TestLeaseStore => {
  let lease: Lease | undefined;
  let version = 0;

  const store = (written: Lease): Lease => {
    if (written.spec?.holderIdentity === '') throw failure('invalid');
    version += 1;
    lease = { ...written, metadata: { ...written.metadata, resourceVersion: String(version) } };
    return lease;
  };

  const create = (fresh: Lease): Lease => {
    if (lease !== undefined) throw failure('already-exists');
    return store(fresh);
  };

  const update = (fresh: Lease): Lease => {
    if (lease?.metadata.resourceVersion !== fresh.metadata.resourceVersion) throw failure('conflict');
    return store(fresh);
  };

  return {
    get lease() {
      return lease;
    },
    client() {
      const own = {
        isCutOff: false,
        get: () => answer(() => lease),
        create: (_kind: string, fresh: object) => answer(() => create(fresh as Lease)),
        update: (_kind: string, fresh: object) => answer(() => update(fresh as Lease)),
      };
      const answer = async (act: () => Lease | undefined): Promise<never> => {
        await Promise.resolve();
        if (own.isCutOff) throw failure('network');
        return act() as never;
      };
      return own;
    },
  };
};
