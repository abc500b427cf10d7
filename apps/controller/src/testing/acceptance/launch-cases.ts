import type { ApiObject } from '@karpenter/api-server';
import type { NodePool } from '@karpenter/core';
import { nvidiaDevicePlugin, oneOf } from '../clusters/objects.ts';
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
  poolOf,
  runningOn,
  same,
  settledOn,
  SIZE,
} from './stage-objects.ts';

const ZONE = 'topology.kubernetes.io/zone';
const ARCH = 'kubernetes.io/arch';
const CAPACITY = 'karpenter.sh/capacity-type';
const onDemand = oneOf(CAPACITY, 'on-demand');

const DISRUPTION = { consolidateAfter: '0s', budgets: [{ nodes: '100%' }] };

const labelsOfOnlyNode = async (stage: Stage): Promise<Readonly<Record<string, string>>> =>
  onlyOf('node', await nodesOn(stage)).metadata.labels ?? {};

/** One node of each image family and architecture; `test/suites/utilization`. */
const perFamily: readonly AcceptanceCase[] = ['AzureLinux', 'Ubuntu', 'Ubuntu2204', 'Ubuntu2404'].flatMap((imageFamily) =>
  [
    { arch: 'amd64', size: 'Standard_D2s_v5' },
    { arch: 'arm64', size: 'Standard_D2ps_v5' },
  ].map(({ arch, size }) => ({
    suite: 'utilization',
    title: `a node of ${imageFamily} on ${arch} joins and runs a pod`,
    isFast: imageFamily === 'AzureLinux' && arch === 'arm64',
    run: async (stage) => {
      await stage.create(
        aClass({ imageFamily }),
        poolOf([onDemand, oneOf(ARCH, arch), oneOf(SIZE, size)]),
        pods({ replicas: 1, cpu: '1' }),
      );
      await settledOn(stage, 1, 1);
      same('architecture', (await labelsOfOnlyNode(stage))[ARCH], arch);
    },
  })),
);

/** One size of each family that the original's `newskus` checks first. */
const perSize: readonly AcceptanceCase[] = ['Standard_D4as_v5', 'Standard_E4s_v5', 'Standard_F4s_v2'].map((size) => ({
  suite: 'newskus',
  title: `a node of ${size} joins`,
  isFast: size === 'Standard_F4s_v2',
  run: async (stage) => {
    await stage.create(aClass(), poolOf([onDemand, oneOf(SIZE, size)]), pods({ replicas: 1 }));
    await settledOn(stage, 1, 1);
    same('size', onlyOf('machine', await machinesOn(stage)).properties.hardwareProfile.vmSize, size);
  },
}));

const spread = {
  maxSkew: 1,
  topologyKey: ZONE,
  whenUnsatisfiable: 'DoNotSchedule',
  labelSelector: { matchLabels: { app: 'inflate' } },
};

export const launchCases: readonly AcceptanceCase[] = [
  ...perFamily,
  ...perSize,
  ...['AzureLinux', 'Ubuntu', 'Ubuntu2204', 'Ubuntu2404'].map((imageFamily): AcceptanceCase => ({
    suite: 'gpu',
    title: `a pod with a GPU gets a node of ${imageFamily} with one`,
    isFast: imageFamily === 'Ubuntu2204',
    run: async (stage) => {
      const resources = { requests: { cpu: '1' }, limits: { 'nvidia.com/gpu': '1' } };
      const pool = poolOf([onDemand, oneOf(SIZE, 'Standard_NC4as_T4_v3')]);
      const podSpec = { containers: [{ name: 'main', image: PAUSE, resources }] };
      await stage.create(aClass({ imageFamily }), pool, nvidiaDevicePlugin, pods({ replicas: 1, podSpec }));
      await settledOn(stage, 1, 1);
      same('manufacturer', (await labelsOfOnlyNode(stage))['karpenter.azure.com/sku-gpu-manufacturer'], 'nvidia');
    },
  })),
  {
    suite: 'scheduling',
    title: 'three pods that spread over zones get nodes in three',
    isFast: true,
    run: async (stage) => {
      await stage.create(aClass(), onlyD4, pods({ replicas: 3, podSpec: { topologySpreadConstraints: [spread] } }));
      await settledOn(stage, 3, 3);
      same('zones', new Set((await nodesOn(stage)).map(({ metadata }) => metadata.labels?.[ZONE])).size, 3);
      same('zones of the machines', new Set((await machinesOn(stage)).map(({ zones }) => zones?.[0])).size, 3);
    },
  },
  {
    suite: 'scheduling',
    title: 'labels, annotations and taints of the pool are on its node',
    run: async (stage) => {
      const pool = poolOf([onDemand, oneOf(SIZE, 'Standard_D4s_v3')], { taints: [{ key: 'team', value: 'a', effect: 'NoSchedule' }] });
      const metadata = { labels: { team: 'a' }, annotations: { 'example.com/owner': 'a' } };
      const spec = { ...pool.spec, template: { ...pool.spec.template, metadata } };
      await stage.create(
        aClass(),
        { ...pool, spec } as ApiObject,
        pods({ replicas: 1, podSpec: { tolerations: [{ operator: 'Exists' }] } }),
      );
      await settledOn(stage, 1, 1);
      const node = onlyOf('node', await nodesOn(stage));
      same('label', node.metadata.labels?.['team'], 'a');
      same('annotation', node.metadata.annotations?.['example.com/owner'], 'a');
      same(
        'taint',
        node.spec?.taints?.some(({ key }) => key === 'team'),
        true,
      );
    },
  },
  {
    suite: 'storage',
    title: 'a pod with an emptyDir runs, and a class may have an ephemeral disk',
    isFast: true,
    run: async (stage) => {
      const pool = poolOf([onDemand, oneOf(SIZE, 'Standard_D8s_v3')]);
      await stage.create(
        aClass({ osDiskSizeGB: 64 }),
        pool,
        pods({ replicas: 1, podSpec: { volumes: [{ name: 'scratch', emptyDir: {} }] } }),
      );
      await settledOn(stage, 1, 1);
      same('disk', onlyOf('machine', await machinesOn(stage)).properties.storageProfile.osDisk.diffDiskSettings?.option, 'Local');
    },
  },
  {
    suite: 'nodeclaim',
    title: 'a NodeClaim of nobody becomes a node, and its machine goes with it',
    isFast: true,
    run: async (stage) => {
      const nodeClassRef = { group: 'karpenter.azure.com', kind: 'AKSNodeClass', name: 'default' };
      const spec = { requirements: [onDemand, oneOf(SIZE, 'Standard_D4s_v3')], nodeClassRef };
      await stage.create(aClass(), { apiVersion: 'karpenter.sh/v1', kind: 'NodeClaim', metadata: { name: 'alone' }, spec } as ApiObject);
      const isInitialized = async (): Promise<boolean> =>
        (await claimsOn(stage)).some(({ status }) =>
          status?.conditions?.some(({ type, status: is }) => type === 'Initialized' && is === 'True'),
        );
      await stage.until('the claim is initialized', isInitialized);
      await stage.remove('NodeClaim', 'alone');
      await stage.until('its machine is gone', async () => !(await stage.vms()).some(({ name }) => name.includes('alone')));
    },
  },
  ...(['WhenEmptyOrUnderutilized', 'WhenEmpty'] as const).map((consolidationPolicy): AcceptanceCase => ({
    suite: 'chaos',
    title: `consolidation of the policy ${consolidationPolicy} makes no more nodes than pods need`,
    isFast: consolidationPolicy === 'WhenEmpty',
    run: async (stage) => {
      const pool: NodePool & ApiObject = { ...onlyD4, spec: { ...onlyD4.spec, disruption: { ...DISRUPTION, consolidationPolicy } } };
      await stage.create(aClass(), pool, pods({ replicas: 3 }));
      await settledOn(stage, 3, 3);
      let most = 0;
      for (let minute = 0; minute < 5; minute++) {
        await stage.pass(60_000);
        most = Math.max(most, (await nodesOn(stage)).length);
      }
      if (most > 6) throw new Error(`there were ${most} nodes for three pods`);
      same('pods that run', await runningOn(stage), 3);
    },
  })),
];
