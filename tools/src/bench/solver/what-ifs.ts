import type { NodeView } from '@karpenter/core/internal';
import { aNodePool, aSnapshot, spreadOver } from '@karpenter/testkit';
import { eastusTypes } from '../inputs/eastus.ts';
import { runningNodes } from '../inputs/running-nodes.ts';
import type { Figure } from '../report.ts';
import { askAboutEach } from './ask-about-each.ts';

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

/** What a question about each of 5,000 nodes costs, whatever it comes to. */
export const whatIfs =
  (name: string, { podLimit, isSpread = false }: { readonly podLimit: number; readonly isSpread?: boolean }) =>
  (): readonly Figure[] => {
    const plain = runningNodes(5000, 20, podLimit);
    const nodes = isSpread ? withSpread(plain) : plain;
    const { openingMs, askingMs } = askAboutEach(aSnapshot({ instanceTypes: eastusTypes(), nodePools: [aNodePool()], nodes }));
    const size = `5,000 nodes, 100,000 pods, ${name}`;
    return [
      { case: `${size}: making the what-if ready`, figure: openingMs, unit: 'ms' },
      { case: `${size}: one consolidation candidate (mean of all)`, figure: askingMs / nodes.length, unit: 'ms', atMost: 0.5 },
      { case: `${size}: every candidate once`, figure: (askingMs + openingMs) / 1000, unit: 's', atMost: 25 },
    ];
  };
