import type { NodeAnswer } from '../answer/why-node.ts';
import type { PodAnswer } from '../answer/why-pod.ts';
import { countText, money, rate, zoneText } from './amounts.ts';
import { paint, type Paper } from './paper.ts';
import { planSummaryText, relaxedTree } from './plan-text.ts';

type Of<K extends PodAnswer['kind']> = Extract<PodAnswer, { readonly kind: K }>;

const relaxedText = ({ relaxed }: Of<'fits-node' | 'needs-node'>): string =>
  relaxed === undefined ? '' : `\nPreferences relaxed:\n${relaxedTree(relaxed.why).trimEnd()}`;

const newNodeLine = (answer: Of<'needs-node'>): string => {
  const { instanceType, capacityType, nodePool, pricePerHour, otherPods } = answer;
  const shared = otherPods === 0 ? '' : `, with ${countText(otherPods, 'other pod')}`;
  return `needs a new node: ${instanceType} (${capacityType}, ${zoneText(answer)}) of NodePool ${nodePool}, ${rate(pricePerHour)}${shared}`;
};

const noPlaceLine = ({ tree, why }: Of<'no-place'>): string => `finds no place${tree.length === 0 ? `: ${why}` : `\n${tree.join('\n')}`}`;

const podLine = (answer: PodAnswer): string => {
  switch (answer.kind) {
    case 'runs':
      return `runs on ${answer.node}; \`karpenter why node/${answer.node}\` says why that node stays`;
    case 'ended':
      return `has ended: ${answer.phase}`;
    case 'not-planned':
      return `is not planned for: ${answer.reason}`;
    case 'expected':
      return `is expected on ${answer.node}, ${answer.isUp ? 'which is up' : 'which is still coming up'}`;
    case 'fits-node':
      return `fits on ${answer.node}, which stands already: kube-scheduler can bind it${relaxedText(answer)}`;
    case 'needs-node':
      return `${newNodeLine(answer)}${relaxedText(answer)}`;
    case 'no-place':
      return noPlaceLine(answer);
  }
};

export const podText = (answer: PodAnswer, paper: Paper): string => `${paint(paper, 'bold', `Pod ${answer.pod}`)} ${podLine(answer)}\n`;

const savingsText = ({ savingsPerHour }: NodeAnswer): string => {
  if (savingsPerHour === undefined) return '';
  if (Math.abs(savingsPerHour) < 0.0005) return 'Without it nothing would be saved.\n';
  return savingsPerHour > 0 ? `Without it ${rate(savingsPerHour)} less.\n` : `Without it ${rate(-savingsPerHour)} more.\n`;
};

const PODS_SHOWN = 8;

export const nodeText = (answer: NodeAnswer, paper: Paper): string => {
  const { node, nodePool, instanceType, pricePerHour, pods, why, without } = answer;
  const head = paint(paper, 'bold', `Node ${node}`);
  const about = [
    instanceType,
    ...(nodePool === undefined ? [] : [`NodePool ${nodePool}`]),
    ...(pricePerHour === undefined ? [] : [`${money(pricePerHour)}/h`]),
  ];
  const rest = pods.length > PODS_SHOWN ? ` and ${pods.length - PODS_SHOWN} others` : '';
  const own = pods.length === 0 ? 'no pod that would need another place' : `${pods.slice(0, PODS_SHOWN).join(', ')}${rest}`;
  const elsewhere =
    without === undefined || pods.length === 0 ? '' : `\nIf it were gone, its pods would go here:\n${planSummaryText(without, paper)}`;
  return `${head} (${about.filter((each) => each !== '').join(', ')})\n${why}.\nIts pods: ${own}.\n${elsewhere}${savingsText(answer)}`;
};
