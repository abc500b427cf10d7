import { aNodePool, aSnapshot } from '@karpenter/testkit';
import { eastusTypes } from '../inputs/eastus.ts';
import { runningNodes } from '../inputs/running-nodes.ts';
import { zonedPods } from '../inputs/workloads.ts';
import type { Figure } from '../report.ts';
import { checkComplete } from './check-plan.ts';
import { cheapest } from './policies.ts';
import { timedPlan } from './timed-plan.ts';

const MIB = 1024 ** 2;
const zones = ['eastus-1', 'eastus-2', 'eastus-3'];

/** Everything that eastus sells, for 100,000 pods beside 5,000 nodes. */
export const wholeCatalog = (): readonly Figure[] => {
  const types = eastusTypes();
  const snapshot = aSnapshot({
    pending: zonedPods(100_000, zones),
    instanceTypes: types,
    nodePools: [aNodePool()],
    nodes: runningNodes(5000, 10),
  });
  const beforeMiB = process.memoryUsage().rss / MIB;
  const { plan, ms, peakMiB } = timedPlan(snapshot, cheapest);
  checkComplete(snapshot, cheapest, plan);
  const name = `100,000 pods, 5,000 nodes, ${types.length} eastus sizes x 3 zones x 2 capacity types`;
  return [
    { case: `${name}: time, first run of the process`, figure: ms / 1000, unit: 's', atMost: 1 },
    { case: `${name}: memory of the process at its most, its snapshot included`, figure: peakMiB, unit: 'MiB', atMost: 512 },
    { case: `${name}: memory that the decision added`, figure: peakMiB - beforeMiB, unit: 'MiB' },
    { case: `${name}: nodes`, figure: plan.plannedNodes.length, unit: 'nodes' },
    { case: `${name}: price`, figure: plan.pricePerHour, unit: '$/h' },
  ];
};
