import { describe, expect, test } from '@jest/globals';
import { fakeClock } from '@karpenter/runtime';
import { ArmError } from '../arm/arm-error.ts';
import { NodeSubnets, nodeAddressesOf, subnetIdsOf } from './node-subnets.ts';

const { signal } = new AbortController();

/** Subnets `/a` and `/b`, and how much Azure reports as free; `free: undefined` makes Azure refuse to say. */
const subnetsOf = ({ addressedWithinMs = 0 } = {}) => {
  const clock = fakeClock();
  const azure = { free: { '/a': 3, '/b': 2 } as Readonly<Record<string, number>> | undefined, reads: 0 };
  const warnings: string[] = [];
  const subnetSpaces = () => {
    azure.reads += 1;
    if (azure.free === undefined) {
      return Promise.reject(new ArmError('no', { code: 'forbidden', armCode: 'AuthorizationFailed', status: 403, cause: undefined }));
    }
    return Promise.resolve(new Map(Object.entries(azure.free).map(([id, free]) => [id, { free, total: 11 }])));
  };
  const subnets = new NodeSubnets({
    arm: { subnetSpaces },
    clock,
    logger: { warn: (text) => void warnings.push(text) },
    addressedWithinMs,
  });
  const choose = (machine: string, { addresses = 1, subnetIds = ['/A', '/b'] } = {}): Promise<string> =>
    subnets.choose({ machine, subnetIds, addresses }, signal);
  /** Where machines of these names go, one after another. */
  const placed = async (names: string): Promise<string> => {
    const chosen: string[] = [];
    for (const name of names) chosen.push(await choose(name));
    return chosen.join(' ');
  };
  return { azure, clock, subnets, choose, placed, warnings };
};

describe('when a class has several subnets', () => {
  test('each machine joins the one with the most free addresses, those on their way counted', async () => {
    const { placed, azure } = subnetsOf();
    expect(await placed('mnopq')).toBe('/A /A /b /A /b');
    expect(azure.reads).toBe(1);
  });

  test('machines of another class that spells the subnet otherwise are counted', async () => {
    const { choose } = subnetsOf();
    await choose('m', { subnetIds: ['/a', '/b'] });
    await choose('n', { subnetIds: ['/a', '/b'] });
    expect(await choose('o')).toBe('/b');
  });

  test('a machine that is tried again joins the same one', async () => {
    const { placed } = subnetsOf();
    expect(await placed('mnnn')).toBe('/A /A /A /A');
  });

  test('none with room › the launch fails with SubnetIsFull, without a call for each', async () => {
    const { choose, placed, azure } = subnetsOf();
    await placed('mnopq');
    await expect(choose('r')).rejects.toMatchObject({
      code: 'launch-failed',
      reason: 'SubnetIsFull',
      message: expect.stringContaining('/A, /b'),
    });
    await expect(choose('s', { addresses: 30 })).rejects.toMatchObject({ reason: 'SubnetIsFull' });
    expect(azure.reads).toBe(1);
  });

  test('one that refuses a machine is full until it is read again', async () => {
    const { placed, subnets, clock } = subnetsOf();
    expect(await placed('m')).toBe('/A');
    subnets.refused('m');
    expect(await placed('m')).toBe('/b');
    await clock.advance(60_000);
    expect(await placed('n')).toBe('/A');
  });

  test('a machine that Azure has accepted is counted by Azure once it has its addresses', async () => {
    const { placed, subnets, clock, azure } = subnetsOf();
    await placed('mn');
    subnets.accepted('m');
    subnets.accepted('n');
    azure.free = { '/a': 1, '/b': 2 };
    await clock.advance(60_000);
    expect(await placed('opq')).toBe('/b /A /b');
  });

  test('a machine that AKS makes is counted here for five minutes, one that Azure never accepted for ten', async () => {
    const { choose, subnets, clock, azure } = subnetsOf({ addressedWithinMs: 300_000 });
    azure.free = { '/a': 2 };
    await choose('m');
    subnets.accepted('m');
    await choose('n');
    await clock.advance(240_000);
    await expect(choose('o')).rejects.toMatchObject({ reason: 'SubnetIsFull' });
    await clock.advance(120_000);
    expect(await choose('o')).toBe('/A');
    await expect(choose('p')).rejects.toMatchObject({ reason: 'SubnetIsFull' });
    await clock.advance(300_000);
    expect(await choose('p')).toBe('/A');
  });

  test('a machine that is gone takes no addresses', async () => {
    const { placed, subnets } = subnetsOf();
    await placed('mn');
    subnets.release('m');
    subnets.release('n');
    expect(await placed('o')).toBe('/A');
  });

  test('that cannot be read › machines are spread evenly, and the log says why', async () => {
    const { placed, azure, warnings } = subnetsOf();
    azure.free = undefined;
    expect(await placed('mnop')).toBe('/A /b /A /b');
    expect(warnings).toHaveLength(1);
  });
});

describe('when a class has one subnet', () => {
  test('machines join it, and nothing is read', async () => {
    const { choose, azure } = subnetsOf();
    expect(await choose('m', { subnetIds: ['/b'], addresses: 250 })).toBe('/b');
    expect(azure.reads).toBe(0);
  });
});

describe('the subnets of a class', () => {
  const options = { vnetSubnetId: '/own', networkPlugin: 'azure', networkPluginMode: '' } as const;

  test('are its own, or that of the controller, and the additional ones, each once', () => {
    expect(subnetIdsOf({}, options)).toEqual(['/own']);
    expect(subnetIdsOf({ spec: { additionalSubnetIDs: ['/a', '/b'] } }, options)).toEqual(['/own', '/a', '/b']);
    expect(subnetIdsOf({ spec: { vnetSubnetID: '/a', additionalSubnetIDs: ['/A', '/b'] } }, options)).toHaveLength(2);
  });

  test('give a node one address, or one for each pod without overlay and pod subnet', () => {
    expect(nodeAddressesOf({ spec: { maxPods: 50 } }, options)).toBe(50);
    expect(nodeAddressesOf({ spec: { maxPods: 50, podSubnetID: '/pods' } }, options)).toBe(1);
    expect(nodeAddressesOf({ spec: { maxPods: 50 } }, { ...options, networkPluginMode: 'overlay' })).toBe(1);
    expect(nodeAddressesOf({}, { ...options, networkPlugin: 'none' })).toBe(1);
  });
});
