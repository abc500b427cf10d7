import { describe, expect, test } from '@jest/globals';
import type { CloudProvider, InstanceType, Machine, NodeClaim } from '@karpenter/core';
import { aNodePool, anInstanceType, catalogWithReservations } from '../builders/index.ts';
import { FakeCloudProvider } from '../provider/index.ts';
import { checkRegistration } from './check-registration.ts';
import { checkReservations } from './check-reservations.ts';
import { checkTogether } from './check-together.ts';
import type { ProviderUnderTest } from './provider-under-test.ts';

const reserved = { zone: 'test-zone-1', capacityType: 'reserved', pricePerHour: 0, reservation: { id: 'r-1', remaining: 2 } };
const bought = anInstanceType({ name: 'bought' });
const kept = anInstanceType({ name: 'kept', offerings: [reserved] });

type Broken = Partial<Pick<CloudProvider, 'create' | 'registrationHooks' | 'getInstanceTypes'>>;

interface Options {
  readonly types?: readonly InstanceType[];
  readonly reserves?: boolean;
  readonly broken?: (provider: FakeCloudProvider) => Broken;
  readonly under?: Partial<ProviderUnderTest>;
}

const subjectOf = ({ types = [bought], reserves = false, broken = () => ({}), under = {} }: Options): ProviderUnderTest => {
  const provider = new FakeCloudProvider({ instanceTypes: types, ...(reserves && { labelCatalog: catalogWithReservations }) });
  const whole = Object.assign(Object.create(provider) as FakeCloudProvider, {
    create: (claim: NodeClaim) => provider.create(claim),
    delete: (claim: NodeClaim) => provider.delete(claim),
    list: () => provider.list(),
    getInstanceTypes: () => provider.getInstanceTypes(),
    ...broken(provider),
  });
  return {
    provider: whole,
    nodePool: aNodePool(),
    run: (call) => call(),
    cutOff: () => undefined,
    launchCalls: () => provider.launches.length,
    [Symbol.asyncDispose]: () => Promise.resolve(),
    ...under,
  };
};

/** Every machine gets these labels too. */
const labelling =
  (labels: Readonly<Record<string, string>>) =>
  (provider: FakeCloudProvider): Broken => ({
    create: async (claim): Promise<Machine> => {
      const machine = await provider.create(claim);
      return { ...machine, labels: { ...machine.labels, ...labels } };
    },
  });

const hook = (name: string, kind: 'satisfied' | 'waiting') => ({ name, check: () => Promise.resolve({ kind }) });

describe('R29', () => {
  test.each<[string, Options]>([
    ['nothing to wait for', {}],
    ['a hook that is satisfied', { broken: () => ({ registrationHooks: [hook('AddressAssigned', 'satisfied')] }) }],
  ])('is kept with %s', async (_, options) => {
    await expect(checkRegistration(subjectOf(options))).resolves.toBeUndefined();
  });

  test('is kept by a hook that waits for the node to join', async () => {
    let kind: 'satisfied' | 'waiting' = 'waiting';
    const broken = () => ({ registrationHooks: [{ name: 'RouteMade', check: () => Promise.resolve({ kind }) }] });
    const join = () => Promise.resolve(void (kind = 'satisfied'));
    await expect(checkRegistration(subjectOf({ broken, under: { join } }))).resolves.toBeUndefined();
  });

  test.each<[string, Options]>([
    ['a machine that calls itself registered', { broken: labelling({ 'karpenter.sh/registered': 'true' }) }],
    ['a hook that never comes true', { broken: () => ({ registrationHooks: [hook('RouteMade', 'waiting')] }) }],
    ['two hooks of one name', { broken: () => ({ registrationHooks: [hook('A', 'satisfied'), hook('A', 'satisfied')] }) }],
    [
      'a hook that calls the node registered',
      {
        broken: () => ({
          registrationHooks: [
            { name: 'A', check: () => Promise.resolve({ kind: 'satisfied', adds: { labels: { 'karpenter.sh/registered': 'true' } } }) },
          ],
        }),
      },
    ],
    ['a hook without a proper name', { broken: () => ({ registrationHooks: [hook('route made', 'satisfied')] }) }],
  ])('is broken by %s', async (_, options) => {
    await expect(checkRegistration(subjectOf(options))).rejects.toThrow();
  });
});

describe('R30', () => {
  test.each<[string, Options]>([
    ['without reservations', {}],
    ['with a reservation', { types: [bought, kept], reserves: true }],
  ])('is kept %s', async (_, options) => {
    await expect(checkReservations(subjectOf(options))).resolves.toBeUndefined();
  });

  test.each<[string, Options]>([
    ['reserved capacity out of no reservation', { types: [anInstanceType({ offerings: [{ ...reserved, reservation: undefined }] })] }],
    ['a reservation by no label', { types: [bought, kept] }],
    ['a machine that is called reserved and is bought', { broken: labelling({ 'karpenter.sh/capacity-type': 'reserved' }) }],
    ['a label of reservations, and none on sale', { reserves: true }],
    [
      'a reservation that is not counted down',
      { types: [bought, kept], reserves: true, broken: () => ({ getInstanceTypes: () => Promise.resolve([bought, kept]) }) },
    ],
    [
      'a machine that names another reservation',
      { types: [bought, kept], reserves: true, broken: labelling({ 'karpenter.test/reservation-id': 'r-2' }) },
    ],
    [
      'a reservation that reaches further than it says',
      {
        types: [bought, kept],
        reserves: true,
        broken: (provider) => ({
          create: (claim) => provider.create(claim).catch(() => provider.create({ ...claim, spec: { ...claim.spec, requirements: [] } })),
        }),
      },
    ],
  ])('is broken by %s', async (_, options) => {
    await expect(checkReservations(subjectOf(options))).rejects.toThrow();
  });
});

describe('R31', () => {
  test('is kept by a call for each claim', async () => {
    await expect(checkTogether(subjectOf({}))).resolves.toBeUndefined();
  });

  const twice = (provider: FakeCloudProvider): Broken => ({
    create: async (claim) => {
      await provider.create(claim);
      return provider.create(claim);
    },
  });
  /** One answer for all that were requested at once. */
  const allOrNone = (provider: FakeCloudProvider): Broken => {
    const asked: Promise<Machine>[] = [];
    return {
      create: async (claim) => {
        const own = provider.create(claim);
        asked.push(own);
        await Promise.resolve();
        await Promise.all(asked);
        return own;
      },
    };
  };

  test.each<[string, Options]>([
    ['two calls for each claim', { broken: twice }],
    ['a call for each claim where several are said to go together', { under: { launchesTogether: true } }],
    ['an answer for all where one is refused', { broken: allOrNone }],
  ])('is broken by %s', async (_, options) => {
    await expect(checkTogether(subjectOf(options))).rejects.toThrow();
  });
});
