import { describe, expect, test } from '@jest/globals';
import { fakeClock } from '@karpenter/runtime';
import { networkFacts } from './network-facts.ts';

const { signal } = new AbortController();

const pool = (name: string) => ({ id: `/lb/${name}`, name });

/** The network at each read: names of security groups, and of the pools of the balancer. */
const aNetwork = (groups: readonly string[], pools: readonly string[] = []) => {
  const clock = fakeClock();
  const asked = { groups: 0, pools: 0 };
  const arm = {
    listLoadBalancers: () => {
      asked.pools += 1;
      return Promise.resolve([{ name: 'kubernetes', backendAddressPools: pools.map(pool) }]);
    },
    listNetworkSecurityGroups: () => {
      asked.groups += 1;
      return Promise.resolve(groups.map((name) => ({ id: `/nsg/${name}`, name })));
    },
  };
  return { clock, asked, facts: networkFacts(arm, clock) };
};

describe('the security group of the cluster', () => {
  test('names the route table, and is looked up once', async () => {
    const { facts, asked } = aNetwork(['of-the-user', 'AKS-agentpool-12345678-NSG']);
    const found = {
      id: '/nsg/AKS-agentpool-12345678-NSG',
      name: 'AKS-agentpool-12345678-NSG',
      routeTable: 'aks-agentpool-12345678-routetable',
    };
    expect(await facts.securityGroup(signal)).toEqual(found);
    expect(await facts.securityGroup(signal)).toEqual(found);
    expect(asked.groups).toBe(1);
  });

  test.each([
    ['no', 0, ['of-the-user', 'aks-agentpool-1234-nsg']],
    ['more than one', 2, ['aks-agentpool-12345678-nsg', 'aks-agentpool-87654321-nsg']],
  ])('is not guessed where there is %s such group', async (_many, count, groups) => {
    const why = `the node resource group has ${count} network security groups named aks-agentpool-<8 digits>-nsg, expected one`;
    await expect(aNetwork(groups).facts.securityGroup(signal)).rejects.toThrow(why);
  });
});

test('the pools of the balancer are looked up every two hours, and when somebody has found them to be gone', async () => {
  const { facts, asked, clock } = aNetwork([], ['kubernetes']);
  const read = async (): Promise<number> => {
    expect(await facts.backendPools(signal)).toEqual({ ipv4: ['/lb/kubernetes'], ipv6: [] });
    return asked.pools;
  };
  expect([await read(), await read()]).toEqual([1, 1]);
  await clock.advance(2 * 3_600_000);
  expect(await read()).toBe(2);
  facts.forgetBackendPools();
  expect(await read()).toBe(3);
});
