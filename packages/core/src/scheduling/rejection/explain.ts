import { unreachable } from '../../base/index.ts';
import { hintText, listText } from './hints.ts';
import { poolTexts } from './pool-text.ts';
import type { PoolRejection, Rejection } from './rejection.ts';

/** At most so many different reasons are written out, the others are counted: an event has little room. */
const SORTS_TOLD = 4;

/** One sentence for all pools with the same reason: `NodePools a, b: its taint …`. */
const poolSentences = (pools: readonly PoolRejection[]): readonly string[] => {
  const namesByText = new Map<string, string[]>();
  for (const { nodePoolName, reason } of pools) {
    const text = poolTexts(reason).join('; ');
    const names = namesByText.get(text);
    if (names === undefined) namesByText.set(text, [nodePoolName]);
    else names.push(nodePoolName);
  }
  const told = [...namesByText].slice(0, SORTS_TOLD);
  const untold = pools.length - told.reduce((sum, [, names]) => sum + names.length, 0);
  return [
    ...told.map(([text, names]) => `NodePool${names.length === 1 ? '' : 's'} ${listText(names)}: ${text}`),
    ...(untold === 0 ? [] : [`${untold} more NodePools have other reasons`]),
  ];
};

const countText = (count: number): string => count.toLocaleString('en-US');

/** Joins sentences with full stops; questions end in their own mark. */
const sentences = (texts: readonly string[]): string => texts.join('. ').replaceAll('?. ', '? ');

const groupText = ({
  group,
  minMember,
  placed,
  members,
  lacking,
}: Extract<Rejection['reason'], { readonly kind: 'pod-group' }>): string => {
  if (!Number.isFinite(minMember)) return `the annotation karpenter.sh/pod-group-min-member of ${group} is no whole number above zero`;
  const needs = `${countText(minMember)} pods of ${group} must have a place together`;
  if (members < minMember) return `${needs}, and there are ${countText(members)}`;
  return `${needs}, and ${countText(placed)} would. ${lacking === undefined ? '' : explain(lacking)}`;
};

/**
 * The sentence about a pod that found no place, for people: first what would help, then why each NodePool could not
 * take it.
 */
export const explain = ({ pod, reason }: Rejection): string => {
  const name = `${pod.metadata.namespace ?? 'default'}/${pod.metadata.name}`;
  switch (reason.kind) {
    case 'invalid-pod':
      return `Pod ${name} cannot be scheduled: ${reason.field} is "${reason.value}": ${reason.problem}`;
    case 'opted-out':
      return `Pod ${name} asks for a node without the label karpenter.sh/nodepool, which every node of Karpenter has`;
    case 'no-node-pools':
      return `Pod ${name} found no place: no NodePool is ready`;
    case 'stopped':
      return `Pod ${name} was not considered: the time for this decision ran out`;
    case 'too-complex':
      return `Pod ${name} is too complex: its ${reason.largest} make planning it cost ${countText(reason.units)} units, at most ${countText(reason.most)} are spent on a pod`;
    case 'postponed':
      return `Pod ${name} waits for the next plan: planning it costs much, and other pods came first`;
    case 'pod-group':
      return `Pod ${name} waits for its pod group: ${groupText(reason)}`;
    case 'no-place':
      return `Pod ${name} found no place: ${sentences([...reason.hints.map(hintText), ...poolSentences(reason.pools)])}`;
    default:
      return unreachable(reason);
  }
};

interface Branch {
  readonly text: string;
  readonly leaves: readonly string[];
}

const linesOf = (branches: readonly Branch[]): readonly string[] =>
  branches.flatMap(({ text, leaves }, i) => {
    const isLast = i === branches.length - 1;
    const [fork, trunk] = isLast ? ['└─ ', '   '] : ['├─ ', '│  '];
    return [fork + text, ...leaves.map((leaf, j) => `${trunk}${j === leaves.length - 1 ? '└─ ' : '├─ '}${leaf}`)];
  });

/**
 * The same as `explain`, as a tree of lines: what would help, then every NodePool with a line for each check that
 * removed instance types.
 */
export const explainTree = (rejection: Rejection): string => {
  const { pod, reason } = rejection;
  if (reason.kind !== 'no-place') return explain(rejection);
  const branches = [
    ...reason.hints.map((hint) => ({ text: hintText(hint), leaves: [] })),
    ...reason.pools.map((pool) => ({ text: `NodePool ${pool.nodePoolName}`, leaves: poolTexts(pool.reason) })),
  ];
  return [`Pod ${pod.metadata.namespace ?? 'default'}/${pod.metadata.name} found no place`, ...linesOf(branches)].join('\n');
};
