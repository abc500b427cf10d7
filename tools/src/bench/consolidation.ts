import { createWhatIf, defaultSchedulingPolicy, proposeCommand } from '@karpenter/core';
import type { ClusterSnapshot, NodeView, Pod, SchedulingPolicy } from '@karpenter/core';
import { aNodePool, aSnapshot, validatePlan } from '@karpenter/testkit';
import { eastusTypes } from './eastus.ts';
import { report } from './report.ts';
import type { Figure } from './report.ts';
import { carryingNodes, settledOnSpot } from './running-nodes.ts';
import { genericPods, mixedPods, solitaryPods } from './workloads.ts';

const types = eastusTypes();
const firstFit: SchedulingPolicy = { ...defaultSchedulingPolicy, packing: 'first-fit' };

interface Case {
  readonly name: string;
  readonly nodes: readonly NodeView[];
  readonly bars?: { readonly candidateMs: number; readonly passSeconds: number };
}

const gc = (): void => (globalThis as { gc?: () => void }).gc?.();

const snapshotOf = (nodes: readonly NodeView[], nodePools = [aNodePool()]): ClusterSnapshot =>
  aSnapshot({ instanceTypes: types, nodePools, nodes });

/** Asks about every node alone, as single-node consolidation does; some of the answers are checked outside the timed part. */
const questions = ({ name, nodes, bars }: Case): readonly Figure[] => {
  const snapshot = snapshotOf(nodes);
  gc();
  const opened = performance.now();
  const whatIf = createWhatIf(snapshot, firstFit);
  const opening = performance.now() - opened;
  const start = performance.now();
  const plans = nodes.map((node) => whatIf.ask(new Set([node.name])));
  const ms = performance.now() - start;
  for (let index = 0; index < nodes.length; index += 250) {
    const [node, plan] = [nodes[index], plans[index]];
    if (node === undefined || plan === undefined) continue;
    const [violation] = validatePlan(snapshot, { ...firstFit, without: new Set([node.name]) }, plan);
    if (violation !== undefined) throw new Error(`Unsound what-if plan: ${violation.rule}: ${violation.subject} ${violation.detail}`);
  }
  return [
    { case: `${name}: making the what-if ready`, figure: opening, unit: 'ms' },
    {
      case: `${name}: one candidate (mean of all)`,
      figure: ms / nodes.length,
      unit: 'ms',
      ...(bars === undefined ? {} : { atMost: bars.candidateMs }),
    },
  ];
};

/** A pass: where the nodes are full it looks at every one and finds that none may go. */
const passOver = ({ name, bars }: Case, snapshot: ClusterSnapshot): readonly Figure[] => {
  gc();
  const start = performance.now();
  const { command, blocked } = proposeCommand({ snapshot, policy: defaultSchedulingPolicy, nowMs: 0, shouldStop: () => false });
  const seconds = (performance.now() - start) / 1000;
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

/** On spot each needs one machine that may not replace it; on demand a dear size is asked about twice, the second time packed for price. */
const passes = (each: Case): readonly Figure[] => {
  const onDemand = aNodePool({ requirements: [{ key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] }] });
  const settled = settledOnSpot(each.nodes);
  const onDemandNodes = settled.map((node) => ({ ...node, labels: { ...node.labels, 'karpenter.sh/capacity-type': 'on-demand' } }));
  return [
    ...passOver(each, snapshotOf(settled)),
    ...passOver({ ...each, name: `${each.name}, on demand` }, snapshotOf(onDemandNodes, [onDemand])),
  ];
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

/** So many solitary pods, each followed by its neighbours. */
function withSolitary(count: number, neighbours: number): readonly Pod[] {
  const others = genericPods(count * neighbours, 5);
  return solitaryPods(count).flatMap((pod, index) => [pod, ...others.slice(index * neighbours, (index + 1) * neighbours)]);
}

report(
  cases.flatMap((make) => {
    const each = make();
    return [...questions(each), ...passes(each)];
  }),
);
