import type { NodePool } from '../../../apis/index.ts';
import { snapshotOf } from '../../../cluster/index.ts';
import type { PlainCluster } from '../../../cluster/index.ts';
import type { Affinity, Node, Pod, PodSpec } from '../../../kube/index.ts';
import type { Plan } from '../../planned-node.ts';
import { defaultSchedulingPolicy } from '../../policy.ts';
import type { SchedulingPolicy } from '../../policy.ts';
import { createWhatIf } from '../../what-if.ts';
import { claimOf, DRIVER, nodePool } from './a-gpu-claim.ts';

const ofWeb = { labelSelector: { matchLabels: { app: 'web' } } };

/** Pods must share a host with those of the app `web`. */
export const besideWeb: Affinity = {
  podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'kubernetes.io/hostname', ...ofWeb }] },
};

/** Pods must share no host with those of the app `web`. */
export const awayFromWeb: Affinity = {
  podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'kubernetes.io/hostname', ...ofWeb }] },
};

/** What each of some equal pods asks for, beside a GPU; cores: one if it is left out. */
interface ClaimingPods extends Partial<Omit<PodSpec, 'resourceClaims'>> {
  readonly cpu?: string;
  /** GPUs of each, up to four; default: one. */
  readonly gpus?: number;
}

const templateOf = (gpus: number): string => `gpus-${gpus}`;

/** So many pods of an app, each with a claim of its own. */
export const claiming = (app: string, count: number, { cpu = '1', gpus = 1, ...spec }: ClaimingPods = {}): readonly Pod[] =>
  Array.from({ length: count }, (_, index) => ({
    metadata: { name: `${app}-${index}`, namespace: 'default', labels: { app } },
    spec: {
      containers: [{ name: 'main', resources: { requests: { cpu } } }],
      resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: templateOf(gpus) }],
      ...spec,
    },
  }));

/** A machine with GPUs; without any, its drivers publish none. */
export interface GpuMachine {
  readonly name: string;
  readonly gpus: number;
  readonly cpus?: number;
  /** Default: a dollar for each GPU. */
  readonly pricePerHour?: number;
  readonly zone?: string;
}

const devicesOf = ({ gpus }: GpuMachine) => Array.from({ length: gpus }, (_, index) => ({ name: `gpu-${index}` }));

const amountsOf = ({ cpus = 64 }: GpuMachine) => ({ cpu: String(cpus), memory: '256Gi', pods: '110' });

const selling = (machine: GpuMachine): PlainCluster['instanceTypes'][number] => ({
  name: machine.name,
  capacity: amountsOf(machine),
  pricePerHour: { 'on-demand': machine.pricePerHour ?? machine.gpus },
  ...(machine.zone !== undefined && { zones: [machine.zone] }),
  ...(machine.gpus > 0 && {
    dynamicResources: { resourceSliceTemplates: [{ driver: DRIVER, pool: 'gpus', devices: devicesOf(machine) }] },
  }),
});

const nodeOf = (machine: GpuMachine): Node => ({
  metadata: {
    name: machine.name,
    labels: { 'kubernetes.io/hostname': machine.name, disk: machine.name, 'topology.kubernetes.io/zone': machine.zone ?? 'zone-1' },
  },
  status: { capacity: amountsOf(machine), allocatable: amountsOf(machine), conditions: [{ type: 'Ready', status: 'True' }] },
});

/** What the nodes' drivers have published. */
const slicesOf = (machines: readonly GpuMachine[]) =>
  machines.map((machine) => ({
    metadata: { name: machine.name },
    spec: {
      driver: DRIVER,
      nodeName: machine.name,
      pool: { name: machine.name, resourceSliceCount: 1 },
      devices: devicesOf(machine),
    },
  }));

/** A pool that sells these types alone. */
export const poolSelling = (name: string, weight: number, types: readonly string[]): NodePool => {
  const requirements = [{ key: 'node.kubernetes.io/instance-type', operator: 'In' as const, values: types }];
  const { template } = nodePool.spec;
  return { ...nodePool, metadata: { name }, spec: { weight, template: { ...template, spec: { ...template.spec, requirements } } } };
};

/** A cluster in which pods claim GPUs. */
export interface GpuCluster extends Partial<Omit<PlainCluster, 'nodes' | 'instanceTypes'>> {
  readonly pods: readonly Pod[];
  readonly nodes?: readonly GpuMachine[];
  readonly sold?: readonly GpuMachine[];
  /** Names of nodes that pods should rather avoid. */
  readonly soft?: readonly string[];
  /** Default: first fit. */
  readonly policy?: Partial<SchedulingPolicy>;
}

/** The plan, without a search for a better one. */
export const planIn = ({ nodes = [], soft = [], sold = [], policy, ...cluster }: GpuCluster): Plan => {
  const taints = [{ key: 'spare', effect: 'PreferNoSchedule' as const }];
  const templates = [1, 2, 3, 4].map((count) => ({
    metadata: { name: templateOf(count), namespace: 'default' },
    spec: { spec: claimOf('gpu', [{ name: 'gpu', exactly: { deviceClassName: 'gpu', count } }]).spec },
  }));
  const snapshot = snapshotOf({
    ...{ nodePools: [nodePool], deviceClasses: [{ metadata: { name: 'gpu' }, spec: {} }], resourceClaimTemplates: templates },
    instanceTypes: sold.map(selling),
    resourceSlices: slicesOf(nodes),
    nodes: nodes.map((machine) => ({ ...nodeOf(machine), ...(soft.includes(machine.name) && { spec: { taints } }) })),
    ...cluster,
  });
  const how = { ...defaultSchedulingPolicy, packing: 'first-fit' as const, ...policy };
  return createWhatIf(snapshot, how).ask(new Set(), { isPackedOnly: true });
};

/** Node, or type of a planned node → how many pods it gets, without a search for a better plan. */
export const outcomeIn = (cluster: GpuCluster): readonly (readonly [string, number])[] => {
  const { plannedNodes, placements } = planIn(cluster);
  return [
    ...[...placements].map(([name, pods]) => [name, pods.length] as const),
    ...plannedNodes.map(({ cheapest, pods }) => [cheapest.instanceType.name, pods.length] as const),
  ];
};
