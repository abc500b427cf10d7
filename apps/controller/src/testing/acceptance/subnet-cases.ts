import type { NodePool } from '@karpenter/core';
import type { ApiObject } from '@karpenter/api-server';
import type { AcceptanceCase, Stage } from './stage.ts';
import { aClass, machineIdsOn, machinesOn, nodesOn, onlyD4, onlyOf, pods, replaced, runningOn, same, settledOn } from './stage-objects.ts';

const POOL = 'karpenter.sh/nodepool';

/** A pool of a class by its own name. */
const poolOfClass = (name: string, weight?: number): NodePool & ApiObject => {
  const { template } = onlyD4.spec;
  const nodeClassRef = { ...template.spec.nodeClassRef, name };
  const spec = { ...onlyD4.spec, template: { ...template, spec: { ...template.spec, nodeClassRef } } };
  return { ...onlyD4, metadata: { name }, spec: { ...spec, ...(weight !== undefined && { weight }) } };
};

const classOf = (name: string, spec: object): ApiObject => ({ ...aClass(spec), metadata: { name } });

/** One on a node. */
const podsOn = (pool: string, replicas: number, name = 'inflate'): ApiObject =>
  pods({ name, replicas, podSpec: { nodeSelector: { [POOL]: pool } } });

/** Pods that may use any pool, but no node of the system pool. */
const podsOnAnyOf = (...names: readonly string[]): ApiObject => {
  const isOfPool = { matchExpressions: [{ key: POOL, operator: 'In', values: names }] };
  const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [isOfPool] } } };
  return pods({ replicas: 1, podSpec: { nodeSelector: {}, affinity } });
};

interface Class extends ApiObject {
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly reason?: string }[];
  };
}

const isUnready = async (stage: Stage, name: string): Promise<boolean> =>
  (await stage.list<Class>('AKSNodeClass')).some(
    ({ metadata, status }) =>
      metadata.name === name && status?.conditions?.some((each) => each.type === 'Ready' && each.status === 'False'),
  );

/** Three nodes of the class `small`, which fill its subnet. Returns the subnet. */
const fill = async (stage: Stage): Promise<string> => {
  const vnetSubnetID = await stage.smallSubnet();
  await stage.create(classOf('small', { vnetSubnetID }), poolOfClass('small'), podsOn('small', 3));
  await settledOn(stage, 3, 3);
  return vnetSubnetID;
};

export const subnetCases: readonly AcceptanceCase[] = [
  {
    suite: 'subnet',
    title: 'a class with a subnet that is not there is not ready, and its pod gets a node of another class',
    isFast: true,
    run: async (stage) => {
      const gone = (await stage.smallSubnet()).replace(/[^/]+$/, 'gone');
      await stage.create(classOf('lost', { vnetSubnetID: gone }), poolOfClass('lost', 10), aClass(), poolOfClass('default'));
      await stage.until('the class is not ready', () => isUnready(stage, 'lost'));
      await stage.create(podsOnAnyOf('lost', 'default'));
      await settledOn(stage, 1, 1);
      same('pool', onlyOf('node', await nodesOn(stage)).metadata.labels?.[POOL], 'default');
    },
  },
  {
    suite: 'subnet',
    title: 'nodes are in the subnet of their class, and another one replaces them',
    run: async (stage) => {
      const small = await stage.smallSubnet();
      await stage.create(classOf('moved', { vnetSubnetID: small }), poolOfClass('moved'), podsOn('moved', 1));
      await settledOn(stage, 1, 1);
      const subnetOfNode = async (): Promise<string | undefined> =>
        onlyOf('node', await nodesOn(stage)).metadata.labels?.['kubernetes.azure.com/network-subnet'];
      same('subnet', await subnetOfNode(), small.split('/').at(-1));
      const before = await machineIdsOn(stage);
      const other = small.replace(/[^/]+$/, 'nodes');
      await stage.patch('AKSNodeClass', 'moved', { spec: { vnetSubnetID: other } });
      await replaced(stage, before);
      same('subnet', await subnetOfNode(), 'nodes');
    },
  },
  {
    suite: 'subnet',
    title: 'a class with what is no id of a subnet is refused, and one with a subnet of another network is not ready',
    run: async (stage) => {
      const refused = await stage.create(classOf('wrong', { vnetSubnetID: '/subnets/nodes' })).then(
        () => false,
        () => true,
      );
      same('refused', refused, true);
      const small = await stage.smallSubnet();
      const elsewhere = small.replace(/virtualNetworks\/[^/]+/, 'virtualNetworks/elsewhere');
      await stage.create(classOf('elsewhere', { vnetSubnetID: elsewhere }));
      await stage.until('the class is not ready', () => isUnready(stage, 'elsewhere'));
    },
  },
  {
    suite: 'subnet',
    title: 'while the subnet of a class is full its pod waits, and it runs once another node has gone',
    run: async (stage) => {
      await fill(stage);
      await stage.create(podsOn('small', 1, 'late'));
      await stage.pass(180_000);
      same('nodes', (await nodesOn(stage)).length, 3);
      same('pods that run', await runningOn(stage), 3);
      await stage.remove('Deployment', 'inflate');
      await stage.until('the pod that waited runs', async () => (await runningOn(stage, 'late')) === 1, 30);
      await stage.until('it has the only machine', async () => (await machinesOn(stage)).length === 1);
    },
  },
  {
    suite: 'subnet',
    title: 'a class with a full subnet and another one makes nodes in the other',
    run: async (stage) => {
      const vnetSubnetID = await fill(stage);
      const additionalSubnetIDs = [vnetSubnetID.replace(/[^/]+$/, 'nodes')];
      await stage.create(classOf('both', { vnetSubnetID, additionalSubnetIDs }), poolOfClass('both'), podsOn('both', 2, 'more'));
      await stage.until('two more pods run', async () => (await runningOn(stage, 'more')) === 2);
      same('machines', (await machinesOn(stage)).length, 5);
    },
  },
];
