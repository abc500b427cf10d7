import { aBudget, aPool, benchDeployment, chosenOf } from './workloads.ts';

/** One change of the cluster; a deletion without a name is of all objects of the kind. */
export type ScriptAct =
  | { readonly create: ReturnType<typeof benchDeployment> }
  | { readonly patch: { readonly kind: string; readonly name: string; readonly namespace?: string }; readonly body: object }
  | { readonly delete: { readonly kind: string; readonly name?: string; readonly namespace?: string } };

/** Changes, and the state of the cluster that they lead to. The growth of metrics is read in between. */
export interface ScriptStep {
  readonly name: string;
  readonly acts: readonly ScriptAct[];
  /** `nodes` that are ready, `running` of all `pods`; `fresh`: no NodeClaim of the step before is left. Or a pause. */
  readonly until:
    { readonly nodes: number; readonly pods: number; readonly running: number; readonly fresh?: boolean } | { readonly waitMs: number };
}

const POOL = { kind: 'NodePool', name: 'default' };
const SMALL = 'c-2x-amd64-linux';
const MIDDLE = 'c-4x-amd64-linux';
const LARGE = 'c-8x-amd64-linux';

/** One zone, so that zones of nodes are the same in every run. */
const requirements = (...types: readonly string[]): readonly object[] => [
  chosenOf('kubernetes.io/os', 'linux'),
  chosenOf('kubernetes.io/arch', 'amd64'),
  chosenOf('karpenter.sh/capacity-type', 'on-demand'),
  chosenOf('topology.kubernetes.io/zone', 'test-zone-a'),
  chosenOf('node.kubernetes.io/instance-type', ...types),
];

const template = (spec: object): ScriptAct => ({ patch: POOL, body: { spec: { template: { spec } } } });
const scale = (name: string, replicas: number): ScriptAct => ({
  patch: { kind: 'Deployment', name, namespace: 'default' },
  body: { spec: { replicas } },
});
const remove = (kind: string, name: string): ScriptAct => ({ delete: { kind, name, namespace: 'default' } });
const claimsGo: ScriptAct = { delete: { kind: 'NodeClaim' } };

/** Four pods fill a large node; two fit on a middle one. */
const anApp = (name: string): ScriptAct => ({ create: benchDeployment({ name, replicas: 4, cpu: '1700m', memory: '512Mi' }) });

const setUp: readonly ScriptAct[] = [
  ...aPool().map((object): ScriptAct => ({ create: object })),
  { patch: POOL, body: { spec: { limits: { cpu: '100' }, disruption: { consolidateAfter: '5s' } } } },
  template({ requirements: requirements(MIDDLE) }),
];

/** The same for every controller. Each step leaves no choice, so that what is counted depends on the program alone. */
export const metricScript: readonly ScriptStep[] = [
  { name: 'a pool is made', acts: setUp, until: { nodes: 0, pods: 0, running: 0 } },
  {
    name: 'pods come, a node each',
    acts: [{ create: benchDeployment({ name: 'web', replicas: 3, cpu: '3', memory: '1Gi' }) }],
    until: { nodes: 3, pods: 3, running: 3 },
  },
  {
    name: 'the template changes, and nodes drift',
    acts: [{ patch: POOL, body: { spec: { template: { metadata: { labels: { generation: 'two' } } } } } }],
    until: { nodes: 3, pods: 3, running: 3, fresh: true },
  },
  { name: 'pods go, and nodes are empty', acts: [scale('web', 0)], until: { nodes: 0, pods: 0, running: 0 } },
  {
    name: 'two apps come, a large node each',
    acts: [template({ requirements: requirements(LARGE) }), anApp('api'), anApp('jobs')],
    until: { nodes: 2, pods: 8, running: 8 },
  },
  {
    name: 'one smaller node is cheaper than two',
    acts: [template({ requirements: requirements(MIDDLE, LARGE) }), scale('api', 1), scale('jobs', 1)],
    until: { nodes: 1, pods: 2, running: 2, fresh: true },
  },
  {
    name: 'a smaller node is cheaper',
    acts: [template({ requirements: requirements(SMALL, MIDDLE) }), scale('jobs', 0)],
    until: { nodes: 1, pods: 1, running: 1, fresh: true },
  },
  { name: 'a claim is deleted by hand', acts: [claimsGo], until: { nodes: 1, pods: 1, running: 1, fresh: true } },
  {
    name: 'a budget holds a drain up',
    acts: [{ create: aBudget('api', 0) }, claimsGo],
    until: { waitMs: 40_000 },
  },
  {
    name: 'the budget goes, and the drain goes on',
    acts: [remove('PodDisruptionBudget', 'api')],
    until: { nodes: 1, pods: 1, running: 1 },
  },
  {
    name: 'the expiry changes, and the claim is deleted',
    acts: [template({ expireAfter: '2m' }), claimsGo],
    until: { nodes: 1, pods: 1, running: 1, fresh: true },
  },
  {
    name: 'the expiry changes back, and the node drifts',
    acts: [template({ expireAfter: 'Never' })],
    until: { nodes: 1, pods: 1, running: 1, fresh: true },
  },
  {
    name: 'a pod fits on no node',
    acts: [{ create: benchDeployment({ name: 'huge', replicas: 1, cpu: '64', memory: '1Gi' }) }],
    until: { nodes: 1, pods: 2, running: 1 },
  },
  { name: 'all pods go', acts: [remove('Deployment', 'huge'), scale('api', 0)], until: { nodes: 0, pods: 0, running: 0 } },
];
