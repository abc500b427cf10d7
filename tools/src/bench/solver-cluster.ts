import { createWhatIf } from '@karpenter/core';
import type { NodeView } from '@karpenter/core';
import { aNodePool, aSnapshot, spreadOver } from '@karpenter/testkit';
import { eastusTypes } from './eastus.ts';
import type { Figure } from './report.ts';
import { runningNodes } from './running-nodes.ts';
import { checkComplete, checkSound, cheapest, collectGarbage, firstFit, inMiB, solved } from './solver-run.ts';
import { zonedPods } from './workloads.ts';

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
  const before = process.memoryUsage().rss;
  const { plan, ms, peakMiB } = solved(snapshot, cheapest);
  checkComplete(snapshot, cheapest, plan);
  const name = `100,000 pods, 5,000 nodes, ${types.length} eastus sizes x 3 zones x 2 capacity types`;
  return [
    { case: `${name}: time, first run of the process`, figure: ms / 1000, unit: 's', atMost: 5 },
    { case: `${name}: memory of the process at its most, its snapshot included`, figure: peakMiB, unit: 'MiB', atMost: 512 },
    { case: `${name}: memory that the decision added`, figure: peakMiB - inMiB(before), unit: 'MiB' },
    { case: `${name}: nodes`, figure: plan.plannedNodes.length, unit: 'nodes' },
    { case: `${name}: price`, figure: plan.pricePerHour, unit: '$/h' },
  ];
};

/** Every third pod spreads over zones with those of its label. */
const withSpread = (nodes: readonly NodeView[]): readonly NodeView[] =>
  nodes.map((node) => ({
    ...node,
    pods: node.pods.map((pod, index) =>
      index % 3 === 0
        ? spreadOver({
            topologyKey: 'topology.kubernetes.io/zone',
            maxSkew: 5,
            whenUnsatisfiable: 'DoNotSchedule',
            labelSelector: { matchLabels: pod.metadata.labels ?? {} },
          })(pod)
        : pod,
    ),
  }));

/** Asks about every node as the disruption floor does: first-fit, for it looks for one replacement. */
export const consolidation =
  (name: string, { podLimit, isSpread = false }: { readonly podLimit: number; readonly isSpread?: boolean }) =>
  (): readonly Figure[] => {
    const plain = runningNodes(5000, 20, podLimit);
    const nodes = isSpread ? withSpread(plain) : plain;
    const snapshot = aSnapshot({ instanceTypes: eastusTypes(), nodePools: [aNodePool()], nodes });
    collectGarbage();
    const opened = performance.now();
    const whatIf = createWhatIf(snapshot, firstFit);
    const opening = performance.now() - opened;
    const start = performance.now();
    const plans = nodes.map((node) => whatIf.ask(new Set([node.name])));
    const ms = performance.now() - start;
    nodes.forEach((node, index) => {
      const plan = plans[index];
      if (index % 500 === 0 && plan !== undefined) checkSound(snapshot, { ...firstFit, without: new Set([node.name]) }, plan);
    });
    const size = `5,000 nodes, 100,000 pods, ${name}`;
    return [
      { case: `${size}: making the what-if ready`, figure: opening, unit: 'ms' },
      { case: `${size}: one consolidation candidate (mean of all)`, figure: ms / nodes.length, unit: 'ms', atMost: 5 },
      { case: `${size}: every candidate once`, figure: (ms + opening) / 1000, unit: 's', atMost: 25 },
    ];
  };
