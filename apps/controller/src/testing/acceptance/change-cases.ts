import type { NodePool } from '@karpenter/core';
import type { ApiObject } from '@karpenter/api-server';
import { oneOf } from '../clusters/objects.ts';
import type { AcceptanceCase, Stage } from './stage.ts';
import {
  aClass,
  machineIdsOn,
  machinesOn,
  nodesOn,
  onlyD4,
  onlyOf,
  pods,
  podsAlone,
  poolOf,
  replaced,
  runningOn,
  same,
  scale,
  settledOn,
  SIZE,
} from './stage-objects.ts';

const SPOT_TOLERATIONS = [{ key: 'kubernetes.azure.com/scalesetpriority', operator: 'Equal', value: 'spot', effect: 'NoSchedule' }];

const drifts = (what: string, spec: object): AcceptanceCase => ({
  suite: 'drift',
  title: `another ${what} of the class replaces its nodes`,
  isFast: what === 'disk size',
  run: async (stage) => {
    const before = await podsAlone(stage, 1);
    await stage.patch('AKSNodeClass', 'default', { spec });
    await replaced(stage, before);
  },
});

const tagsBecome = async (stage: Stage, tags: object, hasThem: (tags: Readonly<Record<string, string>>) => boolean): Promise<void> => {
  const before = await podsAlone(stage, 2);
  await stage.patch('AKSNodeClass', 'default', { spec: { tags } });
  await stage.until('machines have the tags of their class', async () =>
    (await machinesOn(stage)).every(({ tags: now }) => hasThem(now ?? {})),
  );
  same('machines', await machineIdsOn(stage), before);
  await settledOn(stage, 2, 2);
};

const blocked: NodePool & ApiObject = {
  ...onlyD4,
  spec: { ...onlyD4.spec, disruption: { ...onlyD4.spec.disruption, budgets: [{ nodes: '0' }] } },
};

export const changeCases: readonly AcceptanceCase[] = [
  drifts('disk size', { osDiskSizeGB: 100 }),
  drifts('image family', { imageFamily: 'AzureLinux' }),
  drifts('number of pods', { maxPods: 30 }),
  {
    suite: 'drift',
    title: 'other labels of the pool replace its nodes',
    run: async (stage) => {
      const before = await podsAlone(stage, 2);
      await stage.patch('NodePool', 'general', { spec: { template: { metadata: { labels: { team: 'b' } } } } });
      await replaced(stage, before);
      same('labels', new Set((await nodesOn(stage)).map(({ metadata }) => metadata.labels?.['team'])).size, 1);
    },
  },
  {
    suite: 'drift',
    title: 'a budget of 0 keeps nodes that have drifted',
    run: async (stage) => {
      await stage.create(aClass(), blocked, pods({ replicas: 1 }));
      await settledOn(stage, 1, 1);
      const before = await machineIdsOn(stage);
      await stage.patch('AKSNodeClass', 'default', { spec: { osDiskSizeGB: 100 } });
      await stage.pass(180_000);
      same('machines', await machineIdsOn(stage), before);
    },
  },
  {
    suite: 'inplaceupdate',
    title: 'new tags of the class are written on its machines, and no node drifts',
    isFast: true,
    run: (stage) => tagsBecome(stage, { tag1: 'value1' }, ({ tag1 }) => tag1 === 'value1'),
  },
  {
    suite: 'inplaceupdate',
    title: 'tags that are taken from the class leave its machines',
    run: async (stage) => {
      await tagsBecome(stage, { tag1: 'value1' }, ({ tag1 }) => tag1 === 'value1');
      await stage.patch('AKSNodeClass', 'default', { spec: { tags: null } });
      await stage.until('no machine has the tag', async () => (await machinesOn(stage)).every(({ tags }) => tags?.['tag1'] === undefined));
    },
  },
  {
    suite: 'inplaceupdate',
    title: 'new tags are also on the machines of nodes that are on their way',
    run: async (stage) => {
      await stage.create(aClass(), onlyD4, pods({ replicas: 2 }));
      await settledOn(stage, 2, 2);
      const before = await machineIdsOn(stage);
      await scale(stage, 4);
      await stage.patch('AKSNodeClass', 'default', { spec: { tags: { tag1: 'value1' } } });
      await settledOn(stage, 4, 4);
      const haveTags = async (): Promise<boolean> => (await machinesOn(stage)).every(({ tags }) => tags?.['tag1'] === 'value1');
      await stage.until('every machine has the tag', haveTags);
      same(
        'machines that stayed',
        (await machineIdsOn(stage)).filter((id) => before.includes(id)),
        before,
      );
    },
  },
  {
    suite: 'consolidation',
    title: 'empty nodes go',
    isFast: true,
    run: async (stage) => {
      await podsAlone(stage, 2);
      await scale(stage, 0);
      await settledOn(stage, 0, 0);
    },
  },
  {
    suite: 'consolidation',
    title: 'a large node gives way to a small one when its pods are few',
    run: async (stage) => {
      const sizes = oneOf(SIZE, 'Standard_D16s_v3', 'Standard_D2s_v3');
      const pool = poolOf([oneOf('karpenter.sh/capacity-type', 'on-demand'), sizes]);
      await stage.create(aClass(), pool, pods({ replicas: 8, cpu: '1' }));
      await stage.until('eight pods run', async () => (await runningOn(stage)) === 8);
      await scale(stage, 1);
      const isSmall = async (): Promise<boolean> =>
        (await machinesOn(stage)).map(({ properties }) => properties.hardwareProfile.vmSize).join() === 'Standard_D2s_v3';
      await stage.until('one small machine is left', isSmall, 30);
      await settledOn(stage, 1, 1);
    },
  },
  {
    suite: 'spot',
    title: 'a spot machine that Azure takes back gives way to another',
    isFast: true,
    run: async (stage) => {
      const pool = poolOf([
        oneOf('karpenter.sh/capacity-type', 'spot'),
        oneOf(SIZE, 'Standard_D4s_v3', 'Standard_D4s_v5', 'Standard_D4as_v5'),
      ]);
      await stage.create(aClass(), pool, pods({ replicas: 1, podSpec: { tolerations: SPOT_TOLERATIONS } }));
      await settledOn(stage, 1, 1);
      const { labels } = onlyOf('node', await nodesOn(stage)).metadata;
      same('label', labels?.['kubernetes.azure.com/scalesetpriority'], 'spot');
      const before = onlyOf('machine', await machinesOn(stage));
      await stage.evict(before.name);
      await replaced(stage, [before.id]);
    },
  },
  ...['kubernetes.azure.com/scalesetpriority', 'kubernetes.azure.com/priority'].map((label): AcceptanceCase => ({
    suite: 'spot',
    title: `a pool that requires spot by ${label} gets spot machines`,
    run: async (stage) => {
      const podSpec = { nodeSelector: { 'karpenter.sh/nodepool': 'general', [label]: 'spot' }, tolerations: SPOT_TOLERATIONS };
      await stage.create(aClass(), poolOf([oneOf(label, 'spot'), oneOf(SIZE, 'Standard_D4s_v3')]), pods({ replicas: 1, podSpec }));
      await settledOn(stage, 1, 1);
      same('priority', onlyOf('machine', await machinesOn(stage)).properties.priority, 'Spot');
    },
  })),
  {
    suite: 'integration',
    title: 'a node that is deleted takes its machine along, and its pod gets another',
    run: async (stage) => {
      const before = await podsAlone(stage, 2);
      for (const { metadata } of await nodesOn(stage)) await stage.remove('Node', metadata.name);
      await replaced(stage, before);
    },
  },
  {
    suite: 'integration',
    title: 'a node that has expired gives way to another',
    run: async (stage) => {
      const pool = poolOf([oneOf('karpenter.sh/capacity-type', 'on-demand'), oneOf(SIZE, 'Standard_D4s_v3')], { expireAfter: '10m' });
      await stage.create(aClass(), pool, pods({ replicas: 1 }));
      await settledOn(stage, 1, 1);
      const before = await machineIdsOn(stage);
      await stage.until('another machine is there', async () => (await machineIdsOn(stage)).some((id) => !before.includes(id)), 30);
    },
  },
  {
    suite: 'integration',
    title: 'pods of a zone get a node there',
    isFast: true,
    run: async (stage) => {
      const zone = `${stage.location}-2`;
      const nodeSelector = { 'karpenter.sh/nodepool': 'general', 'topology.kubernetes.io/zone': zone };
      await stage.create(aClass(), onlyD4, pods({ replicas: 1, podSpec: { nodeSelector } }));
      await settledOn(stage, 1, 1);
      same('zone', onlyOf('machine', await machinesOn(stage)).zones, ['2']);
    },
  },
];
