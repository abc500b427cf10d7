import { CloudProviderError } from '@karpenter/core';
import { type BatchCreate, batchedCreate } from '@karpenter/core/provider-kit';
import { systemClock } from '@karpenter/runtime';

/** A cloud that makes up to three machines by one call. Its ability is all that a provider writes. */
const acme: BatchCreate = {
  most: 3,
  createAll: (claims) => {
    console.log(`one call for ${claims.map(({ metadata }) => metadata.name).join(', ')}`);
    return Promise.resolve(
      claims.map(({ metadata: { name } }) =>
        name === 'web-3'
          ? { kind: 'refused', error: new CloudProviderError('insufficient-capacity', 'sold out') }
          : { kind: 'launched', machine: { providerId: `acme:///${name}`, labels: {}, capacity: {}, allocatable: {} } },
      ),
    );
  },
};

const create = batchedCreate(acme, { clock: systemClock, idleMs: 20, maxMs: 100 });
const { signal } = new AbortController();
const launch = async (name: string): Promise<string> => {
  const nodeClassRef = { group: 'acme.dev', kind: 'AcmeNodeClass', name: 'default' };
  const claim = { apiVersion: 'karpenter.sh/v1', kind: 'NodeClaim', metadata: { name }, spec: { requirements: [], nodeClassRef } } as const;
  return create(claim, { signal }).then(
    ({ providerId }) => providerId,
    (error: unknown) => `${name}: ${String(error)}`,
  );
};
for (const answer of await Promise.all(['web-1', 'web-2', 'web-3', 'web-4'].map(launch))) console.log(answer);
