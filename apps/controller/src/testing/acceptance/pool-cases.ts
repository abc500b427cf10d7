import type { NodeClaim, NodePool, Taint } from '@karpenter/core';
import type { ApiObject } from '@karpenter/api-server';
import { oneOf } from '../clusters/objects.ts';
import type { AcceptanceCase, Stage } from './stage.ts';
import {
  aClass,
  claimsOn,
  machinesOn,
  nodesOn,
  onlyD4,
  onlyOf,
  PAUSE,
  pods,
  podsAlone,
  poolOf,
  replaced,
  runningOn,
  same,
  scale,
  settledOn,
  SIZE,
  undisrupted,
} from './stage-objects.ts';

const POOL = 'karpenter.sh/nodepool';
const onDemand = oneOf('karpenter.sh/capacity-type', 'on-demand');
const D4 = oneOf(SIZE, 'Standard_D4s_v3');
const TAINTS: readonly Taint[] = [{ key: 'team', value: 'a', effect: 'NoSchedule' }];

/** What changes of a pool replaces its nodes: merged into its template. */
const DRIFTS: readonly (readonly [what: string, template: object])[] = [
  ['annotations', { metadata: { annotations: { 'example.com/owner': 'b' } } }],
  ['taints', { spec: { taints: TAINTS } }],
  ['requirements', { spec: { requirements: [onDemand, oneOf(SIZE, 'Standard_D4s_v5')] } }],
];

const drifts = DRIFTS.map(([what, template]): AcceptanceCase => ({
  suite: 'drift',
  title: `other ${what} of the pool replace its nodes`,
  run: async (stage) => {
    const before = await podsAlone(stage, 1, pods({ replicas: 1, podSpec: { tolerations: [{ operator: 'Exists' }] } }));
    await stage.patch('NodePool', 'general', { spec: { template } });
    await replaced(stage, before);
  },
}));

const sizeOfOnly = async (stage: Stage): Promise<string> => onlyOf('machine', await machinesOn(stage)).properties.hardwareProfile.vmSize;

/** The pool under another name, for pods of any pool to choose by weight. */
const weighted = (name: string, weight: number): NodePool & ApiObject => ({
  ...onlyD4,
  metadata: { name },
  spec: { ...onlyD4.spec, weight },
});

const inPools = (...names: readonly string[]): object => ({
  nodeSelector: {},
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: POOL, operator: 'In', values: names }] }],
      },
    },
  },
});

const together = {
  podAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: [
      { labelSelector: { matchLabels: { app: 'inflate' } }, topologyKey: 'kubernetes.io/hostname' },
    ],
  },
};

const scheduling: readonly AcceptanceCase[] = [
  {
    suite: 'scheduling',
    title: 'a pod without a controller gets a node',
    run: async (stage) => {
      const containers = [{ name: 'main', image: PAUSE, resources: { requests: { cpu: '3' } } }];
      const spec = { nodeSelector: { [POOL]: 'general' }, containers, terminationGracePeriodSeconds: 0 };
      const metadata = { name: 'alone', namespace: 'default', labels: { app: 'alone' } };
      await stage.create(aClass(), onlyD4, { apiVersion: 'v1', kind: 'Pod', metadata, spec } as ApiObject);
      await stage.until('it runs', async () => (await runningOn(stage, 'alone')) === 1);
    },
  },
  {
    suite: 'scheduling',
    title: 'pods that have to be together share a node',
    run: async (stage) => {
      await stage.create(aClass(), onlyD4, pods({ replicas: 3, cpu: '1', podSpec: { affinity: together } }));
      await settledOn(stage, 3, 1);
    },
  },
  {
    suite: 'scheduling',
    title: 'the pool of the higher weight makes the node',
    run: async (stage) => {
      await stage.create(aClass(), weighted('first', 100), weighted('second', 10));
      await stage.create(pods({ replicas: 1, podSpec: inPools('first', 'second') }));
      await settledOn(stage, 1, 1);
      same('pool', onlyOf('node', await nodesOn(stage)).metadata.labels?.[POOL], 'first');
    },
  },
  {
    suite: 'scheduling',
    title: 'labels that pods select choose the size, the zone and the system',
    run: async (stage) => {
      const wanted = {
        [POOL]: 'general',
        [SIZE]: 'Standard_D8s_v5',
        'topology.kubernetes.io/zone': `${stage.location}-1`,
        'topology.kubernetes.io/region': stage.location,
        'kubernetes.io/os': 'linux',
        'kubernetes.io/arch': 'amd64',
        'karpenter.sh/capacity-type': 'on-demand',
        'karpenter.azure.com/sku-family': 'D',
        'karpenter.azure.com/sku-cpu': '8',
      };
      await stage.create(aClass(), poolOf([onDemand]), pods({ replicas: 1, podSpec: { nodeSelector: wanted } }));
      await settledOn(stage, 1, 1);
      const { labels = {} } = onlyOf('node', await nodesOn(stage)).metadata;
      for (const [label, value] of Object.entries(wanted)) same(label, labels[label], value);
    },
  },
  {
    suite: 'scheduling',
    title: 'an init container that needs more than its pod decides the size',
    run: async (stage) => {
      const initContainers = [{ name: 'first', image: PAUSE, command: ['true'], resources: { requests: { cpu: '6' } } }];
      const sizes = oneOf(SIZE, 'Standard_D4s_v5', 'Standard_D8s_v5', 'Standard_D16s_v5');
      await stage.create(aClass(), poolOf([onDemand, sizes]), pods({ replicas: 1, cpu: '1', podSpec: { initContainers } }));
      await stage.until('there is a machine', async () => (await machinesOn(stage)).length === 1);
      same('size', await sizeOfOnly(stage), 'Standard_D8s_v5');
    },
  },
];

const integration: readonly AcceptanceCase[] = [
  {
    suite: 'integration',
    title: 'no node is made for pods of a zone that there is not',
    run: async (stage) => {
      const nodeSelector = { [POOL]: 'general', 'topology.kubernetes.io/zone': `${stage.location}-9` };
      await stage.create(aClass(), onlyD4, pods({ replicas: 1, podSpec: { nodeSelector } }));
      await stage.pass(120_000);
      same('claims', (await claimsOn(stage)).length, 0);
    },
  },
  {
    suite: 'integration',
    title: 'a pool of regional placement makes machines without a zone',
    run: async (stage) => {
      const pool = poolOf([onDemand, D4, oneOf('karpenter.azure.com/placement-scope', 'regional')]);
      await stage.create(aClass(), pool, pods({ replicas: 1 }));
      await settledOn(stage, 1, 1);
      same('zones', onlyOf('machine', await machinesOn(stage)).zones ?? [], []);
    },
  },
  {
    suite: 'integration',
    title: 'a pod that must not be disrupted leaves a deleted node at the end of its grace period',
    run: async (stage) => {
      const pool = poolOf([onDemand, D4], { terminationGracePeriod: '1m' });
      await stage.create(aClass(), pool, undisrupted(pods({ replicas: 1 })));
      await settledOn(stage, 1, 1);
      const { name } = onlyOf('node', await nodesOn(stage)).metadata;
      await stage.remove('Node', name);
      await stage.until('the node is gone', async () => !(await nodesOn(stage)).some(({ metadata }) => metadata.name === name), 20);
      await settledOn(stage, 1, 1);
    },
  },
  {
    suite: 'integration',
    title: 'a node has the sysctls, the huge pages and the swap of its class',
    run: async (stage) => {
      const linuxOSConfig = {
        sysctls: { vmSwappiness: 10 },
        transparentHugePageEnabled: 'madvise',
        transparentHugePageDefrag: 'defer',
        swapFileSize: '2Gi',
      };
      await stage.create(aClass({ linuxOSConfig, kubelet: { failSwapOn: false } }), onlyD4, pods({ replicas: 1 }));
      await settledOn(stage, 1, 1);
      const kernel = await stage.kernelOf(onlyOf('node', await nodesOn(stage)).metadata.name);
      same('kernel', kernel, { swappiness: '10', hugePages: { enabled: 'madvise', defrag: 'defer' }, swapMB: 2048 });
    },
  },
  {
    suite: 'consolidation',
    title: 'a budget of 0 keeps empty nodes',
    run: async (stage) => {
      const { spec } = onlyD4;
      const blocked = { ...onlyD4, spec: { ...spec, disruption: { ...spec.disruption, budgets: [{ nodes: '0' }] } } };
      await stage.create(aClass(), blocked, pods({ replicas: 2 }));
      await settledOn(stage, 2, 2);
      await scale(stage, 0);
      await stage.pass(180_000);
      same('nodes', (await nodesOn(stage)).length, 2);
    },
  },
  {
    suite: 'consolidation',
    title: 'nodes that are no longer needed go when their pods fit on the others',
    run: async (stage) => {
      await stage.create(aClass(), onlyD4, pods({ replicas: 6, cpu: '1' }));
      await stage.until('six pods run', async () => (await runningOn(stage)) === 6);
      await scale(stage, 3);
      await settledOn(stage, 3, 1);
    },
  },
];

/** A claim of nobody. */
const aClaimAlone = (spec: Partial<NodeClaim['spec']>): ApiObject => {
  const nodeClassRef = { group: 'karpenter.azure.com', kind: 'AKSNodeClass', name: 'default' };
  return {
    ...{ apiVersion: 'karpenter.sh/v1', kind: 'NodeClaim', metadata: { name: 'alone', labels: { team: 'a' } } },
    spec: { requirements: [onDemand], nodeClassRef, ...spec },
  } as ApiObject;
};

const nodeClaims: readonly AcceptanceCase[] = [
  {
    suite: 'nodeclaim',
    title: 'a NodeClaim of nobody that requests resources gets a size that has them',
    run: async (stage) => {
      const sizes = oneOf(SIZE, 'Standard_D2s_v5', 'Standard_D4s_v5', 'Standard_D8s_v5');
      await stage.create(aClass(), aClaimAlone({ requirements: [onDemand, sizes], resources: { requests: { cpu: '3', memory: '8Gi' } } }));
      const size = async (): Promise<string | undefined> => (await claimsOn(stage))[0]?.metadata.labels?.[SIZE];
      await stage.until('the claim has a size', async () => (await size()) !== undefined);
      same('size', await size(), 'Standard_D4s_v5');
    },
  },
  {
    suite: 'nodeclaim',
    title: 'labels and taints of a NodeClaim of nobody are on its node',
    run: async (stage) => {
      await stage.create(aClass(), aClaimAlone({ requirements: [onDemand, D4], taints: TAINTS }));
      const own = async () =>
        (await stage.list<Awaited<ReturnType<typeof nodesOn>>[number]>('Node')).find(({ metadata }) => metadata.labels?.['team'] === 'a');
      await stage.until('its node has its labels', async () => (await own()) !== undefined);
      const { taints = [] } = (await own())?.spec ?? {};
      same(
        'taint',
        taints.some(({ key }) => key === 'team'),
        true,
      );
    },
  },
];

/** Cases of pools and claims that every mode has alike. */
export const poolCases: readonly AcceptanceCase[] = [...drifts, ...scheduling, ...integration, ...nodeClaims];
