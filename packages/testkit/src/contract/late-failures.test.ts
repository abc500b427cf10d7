import { describe, expect, test } from '@jest/globals';
import { CloudProviderError, labels } from '@karpenter/core';
import type { InstanceType, Machine, NodeClaim, Offering } from '@karpenter/core';
import { reportFailedLaunch } from '@karpenter/core/provider-kit';
import { aNodePool, anInstanceType } from '../builders/index.ts';
import { FakeCloudProvider } from '../provider/index.ts';
import { checkLateFailures } from './check-late-failures.ts';
import type { LateFailuresUnderTest, ProviderUnderTest } from './provider-under-test.ts';

const { signal } = new AbortController();

/** How the provider deals with machines that do not come; each member that is given breaks it. */
interface Manners {
  readonly errorOf?: (isOutOfStock: boolean) => CloudProviderError;
  readonly report?: (claims: Map<string, NodeClaim>, claimName: string) => void;
  readonly tellsOfAll?: boolean;
  readonly keepsOffering?: boolean;
  readonly leaves?: number;
  readonly keepsMachines?: boolean;
}

const failureFor = (isOutOfStock: boolean): CloudProviderError =>
  isOutOfStock
    ? new CloudProviderError('insufficient-capacity', 'sold out', { reason: 'SoldOut' })
    : new CloudProviderError('launch-failed', 'the script has exited with 50', { reason: 'ScriptFailed' });

/** The API of a cluster that holds these claims, as far as the kit writes on them. */
const kubeOf = (claims: Map<string, NodeClaim>): Parameters<typeof reportFailedLaunch>[0] => ({
  patch: (_kind, { name }, { body }) => {
    const claim = claims.get(name);
    const { annotations } = (body as { readonly metadata: Required<Pick<NodeClaim['metadata'], 'annotations'>> }).metadata;
    if (claim !== undefined) claims.set(name, { ...claim, metadata: { ...claim.metadata, annotations } });
    return Promise.resolve(undefined);
  },
});

/** The types without the offerings that these machines were bought by. */
const without = (types: readonly InstanceType[], machines: readonly Machine[]): readonly InstanceType[] => {
  const isGone = (name: string, { zone, capacityType }: Offering): boolean =>
    machines.some(
      ({ labels: bought }) =>
        bought[labels.instanceType] === name && bought[labels.zone] === zone && bought[labels.capacityType] === capacityType,
    );
  return types.map((type) => ({
    ...type,
    offerings: type.offerings.map((offering) => (isGone(type.name, offering) ? { ...offering, isAvailable: false } : offering)),
  }));
};

/** A cloud that fails late on request, and a provider that behaves so. */
const aSubject = (manners: Manners): [ProviderUnderTest, LateFailuresUnderTest] => {
  const cloud = new FakeCloudProvider({ instanceTypes: [anInstanceType({ name: 'only' })] });
  const claims = new Map<string, NodeClaim>();
  const soldOut: Machine[] = [];
  let next: { readonly isOutOfStock: boolean } | undefined;
  const seeToItsEnd = async (machine: Machine): Promise<void> => {
    const { claimName = '' } = machine;
    const failed = next ?? (manners.tellsOfAll === true ? { isOutOfStock: false } : undefined);
    next = undefined;
    if (failed === undefined) return;
    if (failed.isOutOfStock && manners.keepsOffering !== true) soldOut.push(machine);
    const error = (manners.errorOf ?? failureFor)(failed.isOutOfStock);
    if (manners.report === undefined) await reportFailedLaunch(kubeOf(claims), { claimName, error }, { signal });
    else manners.report(claims, claimName);
  };
  const provider = Object.assign(Object.create(cloud) as FakeCloudProvider, {
    create: (claim: NodeClaim) => cloud.create(claim),
    delete: (claim: NodeClaim) => (manners.keepsMachines === true ? Promise.resolve('terminating' as const) : cloud.delete(claim)),
    get: (id: string) => cloud.get(id),
    list: () => cloud.list(),
    getInstanceTypes: async () => without(await cloud.getInstanceTypes(), soldOut),
  });
  const subject = {
    ...{ provider, nodePool: aNodePool(), run: <T>(call: () => Promise<T>) => call() },
    cutOff: () => undefined,
    launchCalls: () => cloud.launches.length,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  const late: LateFailuresUnderTest = {
    put: (claim) => void claims.set(claim.metadata.name, claim),
    read: (name) => claims.get(name),
    fail: () => (next = { isOutOfStock: false }),
    runOut: () => (next = { isOutOfStock: true }),
    settle: async () => {
      for (const machine of await cloud.list()) await seeToItsEnd(machine);
    },
    left: async () => (manners.leaves ?? 0) + (await cloud.list()).length,
  };
  return [subject, late];
};

describe('R33', () => {
  test('is kept by a provider that reports to core, and deletes what there is', async () => {
    await expect(checkLateFailures(...aSubject({}))).resolves.toBeUndefined();
  });

  test.each<[string, Manners]>([
    ['reporting nothing', { report: () => undefined }],
    ['deleting the claim instead of reporting', { report: (claims, name) => void claims.delete(name) }],
    ['reporting a machine that comes', { tellsOfAll: true }],
    ['a reason that no condition can carry', { errorOf: () => new CloudProviderError('launch-failed', 'no', { reason: 'exit-50' }) }],
    ['a failure without a word', { errorOf: () => new CloudProviderError('launch-failed', ' ') }],
    ['offering what ran out', { keepsOffering: true }],
    ['not saying that it ran out', { errorOf: () => failureFor(false) }],
    ['a disk that is left', { leaves: 1 }],
    ['a machine that never goes', { keepsMachines: true }],
  ])('is broken by %s', async (_, manners) => {
    await expect(checkLateFailures(...aSubject(manners))).rejects.toThrow();
  });
});
