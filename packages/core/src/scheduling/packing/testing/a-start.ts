import { labels } from '../../../apis/index.ts';
import { finish } from '../../../base/index.ts';
import type { InstanceType } from '../../../catalog/index.ts';
import type { NodePoolView } from '../../../cluster/index.ts';
import { labelRequirements } from '../../../requirements/index.ts';
import { resourceTable } from '../../classes/resource-table.ts';
import type { NodeState } from '../../places/node-state.ts';
import { makingTemplates } from '../../places/node-template.ts';
import { defaultSchedulingPolicy } from '../../policy.ts';

/** A machine that may be bought, in round numbers. */
export interface Machine {
  readonly cpus: number;
  readonly memoryBytes: number;
  readonly pricePerHour: number;
}

const instanceType = ({ cpus, memoryBytes, pricePerHour }: Machine, index: number): InstanceType => {
  const name = `machine-${String(index).padStart(2, '0')}`;
  const own = { [labels.zone]: 'z1', [labels.capacityType]: 'on-demand' };
  return {
    name,
    requirements: labelRequirements({ ...own, [labels.instanceType]: name }),
    offerings: [{ zone: 'z1', capacityType: 'on-demand', pricePerHour, isAvailable: true, requirements: labelRequirements(own) }],
    capacity: { cpu: cpus * 1000, memory: memoryBytes, pods: 110 },
    overhead: {},
  };
};

/** What a node is before any pod, in a pool that sells these machines: the first is type 0, and so on; at most a hundred. Resources: cpu, memory, pods. */
export const aStart = (...machines: readonly Machine[]): NodeState => {
  const pool: NodePoolView = {
    nodePool: {
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodePool',
      metadata: { name: 'default' },
      spec: { template: { spec: { requirements: [], nodeClassRef: { group: 'test.dev', kind: 'TestNodeClass', name: 'default' } } } },
    },
    instanceTypes: machines.map(instanceType),
    usage: {},
  };
  const resources = resourceTable([], []);
  const slots = { names: [], ofType: () => ({}) };
  const [template] = finish(makingTemplates([pool], { policy: defaultSchedulingPolicy, daemons: [], resources, slots }));
  if (template?.initial === undefined) throw new Error('the machines make no template');
  return template.initial;
};
