import { labels } from '../../apis/index.ts';
import type { NodePoolSpec } from '../../apis/index.ts';
import { finish } from '../../base/index.ts';
import type { InstanceType } from '../../catalog/index.ts';
import type { NodePoolView } from '../../cluster/index.ts';
import type { Labels, Taint } from '../../kube/index.ts';
import { labelRequirements } from '../../requirements/index.ts';
import { resourceTable } from '../pod-classes/pod-class.ts';
import { makingTemplates } from '../nodes/node-template.ts';
import { defaultSchedulingPolicy } from '../policy.ts';
import type { NodeState, NodeTemplate } from '../nodes/node-model.ts';

/** A machine that may be bought, in round numbers. */
export interface Machine {
  readonly cpus: number;
  readonly memoryBytes: number;
  readonly pricePerHour: number;
  /** Default: `z1` alone. */
  readonly zones?: readonly string[];
  /** Zone → its price, where that is another one. */
  readonly zonePrices?: Readonly<Record<string, number>>;
  /** Beside its name. */
  readonly labels?: Labels;
}

/** What the pool asks of its nodes; default: nothing. */
export interface PoolOptions {
  readonly requirements?: NodePoolSpec['template']['spec']['requirements'];
  readonly labels?: Labels;
  readonly taints?: readonly Taint[];
  readonly limits?: NodePoolSpec['limits'];
}

const instanceType = (machine: Machine, index: number): InstanceType => {
  const { cpus, memoryBytes, pricePerHour, zones = ['z1'], zonePrices = {}, labels: own = {} } = machine;
  const name = `machine-${String(index).padStart(2, '0')}`;
  const sold = zones.map((zone) => ({
    zone,
    pricePerHour: zonePrices[zone] ?? pricePerHour,
    requirements: labelRequirements({ [labels.zone]: zone, [labels.capacityType]: 'on-demand' }),
  }));
  const stated = labelRequirements({ [labels.capacityType]: 'on-demand', [labels.instanceType]: name, ...own });
  return {
    name,
    requirements: new Map([
      ...stated,
      [labels.zone, { key: labels.zone, values: { kind: 'in', values: new Set(zones) }, mayBeAbsent: false }],
    ]),
    offerings: sold.map((place) => ({ ...place, capacityType: 'on-demand', isAvailable: true })),
    capacity: { cpu: cpus * 1000, memory: memoryBytes, pods: 110 },
    overhead: {},
  };
};

/**
 * The template of a pool that sells these machines: the first is type 0, and so on; at most a hundred. Resources: cpu,
 * memory, pods.
 */
export const aTemplate = (
  machines: readonly Machine[],
  { requirements = [], labels: own = {}, taints = [], limits = {} }: PoolOptions = {},
  policy = defaultSchedulingPolicy,
): NodeTemplate => {
  const nodeClassRef = { group: 'test.dev', kind: 'TestNodeClass', name: 'default' };
  const pool: NodePoolView = {
    nodePool: {
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodePool',
      metadata: { name: 'default' },
      spec: { template: { metadata: { labels: own }, spec: { requirements, nodeClassRef, taints } }, limits },
    },
    instanceTypes: machines.map(instanceType),
    usage: {},
  };
  const slots = { names: [], ofType: () => ({}) };
  const [template] = finish(makingTemplates([pool], { policy, daemons: [], resources: resourceTable([], []), slots }));
  if (template === undefined) throw new Error('the pool makes no template');
  return template;
};

/** What a node of such a pool is before any pod. */
export const aState = (...asked: Parameters<typeof aTemplate>): NodeState => {
  const { initial } = aTemplate(...asked);
  if (initial === undefined) throw new Error('the pool allows none of the machines');
  return initial;
};
