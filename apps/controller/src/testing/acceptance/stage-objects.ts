import type { Node, NodeClaim, NodePool, Pod } from '@karpenter/core';
import type { ApiObject } from '@karpenter/api-server';
import { isRunning } from '../clusters/cluster-census.ts';
import { aDeployment, aPool, oneOf, type Wanted } from '../clusters/objects.ts';
import type { Stage, StageVm } from './stage.ts';

/** Also on nodes without another registry. */
export const PAUSE = 'mcr.microsoft.com/oss/kubernetes/pause:3.9';

const DO_NOT_DISRUPT = 'karpenter.sh/do-not-disrupt';

export const SIZE = 'node.kubernetes.io/instance-type';
/** Four cores, sold everywhere, in three zones. */
export const onlyD4 = aPool([oneOf(SIZE, 'Standard_D4s_v3')]);

export const aClass = (spec: object = {}): ApiObject & { readonly spec: object } => ({
  apiVersion: 'karpenter.azure.com/v1beta1',
  kind: 'AKSNodeClass',
  metadata: { name: 'default' },
  spec: { imageFamily: 'Ubuntu2204', ...spec },
});

/** The pool with other members in the spec of its nodes. */
export const poolOf = (requirements: Parameters<typeof aPool>[0], nodeSpec: object = {}): NodePool & ApiObject => {
  const pool = aPool();
  const { template } = pool.spec;
  return {
    ...pool,
    spec: { ...pool.spec, template: { ...template, spec: { ...template.spec, requirements: requirements ?? [], ...nodeSpec } } },
  };
};

/** Placeholder pods that stay off the nodes of the system pool; three cores each, so that two fit on no node of four. */
export const pods = ({ cpu = '3', podSpec = {}, ...wanted }: Wanted): ApiObject => {
  const containers = [{ name: 'main', image: PAUSE, resources: { requests: { cpu } } }];
  return aDeployment({ ...wanted, cpu, podSpec: { nodeSelector: { 'karpenter.sh/nodepool': 'general' }, containers, ...podSpec } });
};

/** The same pods, on whose nodes only what cannot wait happens. */
export const undisrupted = (deployment: ApiObject & { readonly spec?: object }): ApiObject => {
  const { spec } = deployment as { readonly spec: { readonly template: { readonly metadata: object } } };
  const metadata = { ...spec.template.metadata, annotations: { [DO_NOT_DISRUPT]: 'true' } };
  return { ...deployment, spec: { ...spec, template: { ...spec.template, metadata } } } as ApiObject;
};

/** Lets the pods of `undisrupted` be disrupted. */
export const disruptPods = async (stage: Stage): Promise<void> => {
  for (const { metadata } of await stage.list<Pod & ApiObject>('Pod'))
    await stage.patch('Pod', metadata.name, { metadata: { annotations: { [DO_NOT_DISRUPT]: null } } });
};

export const scale = (stage: Stage, replicas: number): Promise<void> => stage.patch('Deployment', 'inflate', { spec: { replicas } });

export const claimsOn = (stage: Stage): Promise<readonly (NodeClaim & ApiObject)[]> => stage.list('NodeClaim');

export const nodesOn = async (stage: Stage): Promise<readonly (Node & ApiObject)[]> => {
  const nodes = await stage.list<Node & ApiObject>('Node');
  return nodes.filter(({ metadata }) => metadata.labels?.['karpenter.sh/nodepool'] !== undefined);
};

/** Karpenter's own machines. */
export const machinesOn = async (stage: Stage): Promise<readonly StageVm[]> =>
  (await stage.vms()).filter(({ tags }) => tags?.['karpenter.sh_nodepool'] !== undefined);

export const runningOn = async (stage: Stage, app = 'inflate'): Promise<number> => {
  const all = await stage.list<Pod & ApiObject>('Pod');
  return all.filter((pod) => pod.metadata.labels?.['app'] === app && isRunning(pod)).length;
};

/** Waits until so many pods run on so many nodes, each a machine, and nothing else is there. */
export const settledOn = (stage: Stage, running: number, nodes: number): Promise<void> =>
  stage.until(`${running} pods run on ${nodes} nodes`, async () => {
    const [up, claims, joined, machines] = await Promise.all([runningOn(stage), claimsOn(stage), nodesOn(stage), machinesOn(stage)]);
    return up === running && [claims, joined, machines].every(({ length }) => length === nodes);
  });

export const machineIdsOn = async (stage: Stage): Promise<readonly string[]> => (await machinesOn(stage)).map(({ id }) => id).sort();

/** Pods of the pool, each on a machine of its own. Returns the ids of the machines. */
export const podsAlone = async (stage: Stage, replicas: number, deployment = pods({ replicas })): Promise<readonly string[]> => {
  await stage.create(aClass(), onlyD4, deployment);
  await settledOn(stage, replicas, replicas);
  return machineIdsOn(stage);
};

/** Waits until none of the machines is there, and the pods run on others. */
export const replaced = async (stage: Stage, before: readonly string[]): Promise<void> => {
  await stage.until('other machines are there', async () => !(await machineIdsOn(stage)).some((id) => before.includes(id)), 30);
  await settledOn(stage, before.length, before.length);
};

/** The only one, or a failure that says how many there are. */
export const onlyOf = <T>(what: string, all: readonly T[]): T => {
  const [one] = all;
  if (one === undefined || all.length !== 1) throw new Error(`expected one ${what}, found ${all.length}`);
  return one;
};

/** Throws where two values differ, with both. */
export const same = (what: string, is: unknown, expected: unknown): void => {
  const [left, right] = [JSON.stringify(is), JSON.stringify(expected)];
  if (left !== right) throw new Error(`${what}: expected ${right}, found ${left}`);
};
