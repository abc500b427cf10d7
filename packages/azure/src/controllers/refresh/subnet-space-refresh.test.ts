import { expect, test } from '@jest/globals';
import { fakeClock } from '@karpenter/runtime';
import { ArmError } from '../../arm/arm-error.ts';
import { aNodeClass } from '../../testing/azure-world.ts';
import { subnetSpaceKeeper, type SubnetSpaceDeps } from './subnet-space-refresh.ts';

const context = { signal: new AbortController().signal };
const ownSubnet = (name: string) => `/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/own/subnets/${name}`;

const startSubnetSpace = (mode: 'overlay' | '') => {
  const clock = fakeClock();
  const free = new Map([
    [ownSubnet('nodes').toLowerCase(), 61],
    [ownSubnet('More').toLowerCase(), 250],
  ]);
  const failing: ArmError[] = [];
  const said: string[] = [];
  const collects: NonNullable<Parameters<SubnetSpaceDeps['metrics']['gauge']>[1]>[] = [];
  const classes = [
    aNodeClass(),
    { ...aNodeClass(), metadata: { name: 'both' }, spec: { additionalSubnetIDs: [ownSubnet('More')], maxPods: 30 } },
  ];
  const keeper = subnetSpaceKeeper({
    arm: {
      subnetSpaces: () => {
        const [error] = failing;
        if (error !== undefined) return Promise.reject(error);
        return Promise.resolve(new Map([...free].map(([id, left]) => [id, { total: 251, free: left }])));
      },
    },
    kube: { list: () => Promise.resolve({ items: classes, resourceVersion: '1' }) } as unknown as SubnetSpaceDeps['kube'],
    options: { vnetSubnetId: ownSubnet('nodes'), networkPlugin: 'azure', networkPluginMode: mode } as SubnetSpaceDeps['options'],
    metrics: {
      gauge: (_spec, collect) => {
        if (collect !== undefined) collects.push(collect);
        return { set: () => undefined };
      },
    },
    clock,
    logger: { info: (message) => void said.push(message) },
  });
  const shown = () =>
    Object.fromEntries([...(collects[0]?.() ?? [])].map(({ labels, value }) => [`${labels['nodeclass']} in ${labels['subnet']}`, value]));
  return { clock, free, failing, said, shown, refresh: () => keeper.controller.reconcile(context) };
};

test('a subnet that fills up shows for how many nodes of each class it has addresses, before it is full', async () => {
  const { clock, free, shown, refresh } = startSubnetSpace('overlay');
  await refresh();
  expect(shown()).toEqual({ 'default in nodes': 61, 'both in nodes': 61, 'both in More': 250 });
  free.set(ownSubnet('nodes').toLowerCase(), 2);
  await clock.advance(300_000);
  await refresh();
  expect(shown()).toMatchObject({ 'default in nodes': 2, 'both in nodes': 2 });
});

test('without an overlay a node takes an address for each of its pods', async () => {
  const { shown, refresh } = startSubnetSpace('');
  await refresh();
  expect(shown()).toMatchObject({ 'both in nodes': 2, 'both in More': 8 });
});

test('addresses that cannot be read are not shown, and the log says so once', async () => {
  const { clock, failing, said, shown, refresh } = startSubnetSpace('overlay');
  await refresh();
  failing.push(new ArmError('no role', { code: 'forbidden', cause: undefined }));
  await clock.advance(300_000);
  await refresh();
  await refresh();
  expect([shown(), said]).toEqual([{}, ['free addresses of subnets could not be read, and are not shown']]);
});
