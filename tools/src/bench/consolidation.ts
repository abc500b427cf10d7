/**
 * `pnpm bench:consolidation`: what one question about a candidate costs, and a whole pass over nodes that are all full
 * or all have room. The validator checks every sampled plan. `--json` prints JSON.
 */
import { type ClusterSnapshot, defaultSchedulingPolicy, type Pod, proposeCommand } from '@karpenter/core';
import type { NodeView } from '@karpenter/core/internal';
import { aNodePool, aSnapshot } from '@karpenter/testkit';
import { eastusTypes } from './inputs/eastus.ts';
import { collectGarbage } from './collect-garbage.ts';
import { report } from './report.ts';
import { askAboutEach } from './solver/ask-about-each.ts';
import type { Figure } from './report.ts';
import { carryingNodes, nodesOnSpot } from './inputs/running-nodes.ts';
import { genericPods, mixedPods, solitaryPods } from './inputs/workloads.ts';

const types = eastusTypes();

interface Case {
  readonly name: string;
  readonly nodes: readonly NodeView[];
  readonly bars?: { readonly candidateMs: number; readonly passSeconds: number };
}

const snapshotOf = (nodes: readonly NodeView[], nodePools = [aNodePool()]): ClusterSnapshot =>
  aSnapshot({ instanceTypes: types, nodePools, nodes });

const questions = ({ name, nodes, bars }: Case): readonly Figure[] => {
  const { openingMs, askingMs } = askAboutEach(snapshotOf(nodes));
  return [
    { case: `${name}: making the what-if ready`, figure: openingMs, unit: 'ms' },
    {
      case: `${name}: one candidate (mean of all)`,
      figure: askingMs / nodes.length,
      unit: 'ms',
      ...(bars === undefined ? {} : { atMost: bars.candidateMs }),
    },
  ];
};

/** A pass: where the nodes are full it evaluates every one and finds that none may go. */
const passOver = ({ name, bars }: Case, snapshot: ClusterSnapshot): readonly Figure[] => {
  collectGarbage();
  const startMs = performance.now();
  const { command, blocked } = proposeCommand({ snapshot, policy: defaultSchedulingPolicy, nowMs: 0, shouldStop: () => false });
  const seconds = (performance.now() - startMs) / 1000;
  const explained = [...blocked.values()].filter(({ kind }) => kind !== 'stopped').length;
  return [
    { case: `${name}: a whole pass`, figure: seconds, unit: 's', ...(bars === undefined ? {} : { atMost: bars.passSeconds }) },
    {
      case: `${name}: candidates with an answer${command === undefined ? '' : ', the command’s included'}`,
      figure: explained,
      unit: 'nodes',
    },
  ];
};

/**
 * On spot each needs one machine that may not replace it; on demand a dear size is tried twice, the second time packed
 * for price.
 */
const passes = (each: Case): readonly Figure[] => {
  const onDemand = aNodePool({ requirements: [{ key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] }] });
  const settled = nodesOnSpot(each.nodes);
  const onDemandNodes = settled.map((node) => ({ ...node, labels: { ...node.labels, 'karpenter.sh/capacity-type': 'on-demand' } }));
  return [
    ...passOver(each, snapshotOf(settled)),
    ...passOver({ ...each, name: `${each.name}, on demand` }, snapshotOf(onDemandNodes, [onDemand])),
  ];
};

/** So many solitary pods, each followed by its neighbours. */
const withSolitary = (count: number, neighbours: number): readonly Pod[] => {
  const others = genericPods(count * neighbours, 5);
  return solitaryPods(count).flatMap((pod, index) => [pod, ...others.slice(index * neighbours, (index + 1) * neighbours)]);
};

const cases: readonly (() => Case)[] = [
  () => ({
    name: '5,000 nodes with room, 100,000 pods',
    nodes: carryingNodes(genericPods(100_000, 3), 20),
    bars: { candidateMs: 5, passSeconds: 25 },
  }),
  () => ({
    name: '5,000 full nodes, 100,000 pods',
    nodes: carryingNodes(genericPods(100_000, 3), 20, 20),
    bars: { candidateMs: 5, passSeconds: 25 },
  }),
  () => ({
    name: '1,000 nodes, each with a pod that shares no host with its like, 10,000 pods',
    nodes: carryingNodes(withSolitary(1000, 9), 10),
  }),
  () => ({ name: '1,000 nodes with the whole mix, 10,000 pods', nodes: carryingNodes(mixedPods(10_000), 10) }),
];

report(
  cases.flatMap((make) => {
    const each = make();
    return [...questions(each), ...passes(each)];
  }),
);
