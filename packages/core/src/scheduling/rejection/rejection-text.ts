import { addToGroup, groupedDigits, onOneLine, unreachable } from '../../base/index.ts';
import { namespacedNameOf, taintAsText } from '../../kube/index.ts';
import { amountText, hintText, listText } from './hints.ts';
import type { InstanceTypeFilterCount, PoolRejection, Rejection } from './rejection.ts';

type Reason = PoolRejection['reason'];

interface Verb {
  readonly one: string;
  readonly many: string;
  readonly not: string;
}

const be: Verb = { one: 'is', many: 'are', not: 'is not' };
const fit: Verb = { one: 'fits', many: 'fit', not: 'does not fit' };
const bring: Verb = { one: 'brings', many: 'bring', not: 'does not bring' };
const meet: Verb = { one: 'meets', many: 'meet', not: 'does not meet' };

const checks: Readonly<Record<InstanceTypeFilterCount['check'], { readonly verb: Verb; readonly rest: (detail: string) => string }>> = {
  requirements: { verb: meet, rest: (detail) => detail },
  resources: { verb: fit, rest: (detail) => `the ${detail}` },
  daemons: { verb: fit, rest: (detail) => `the ${detail} beside the pods of DaemonSets` },
  offerings: { verb: be, rest: (detail) => detail },
  reservations: { verb: be, rest: (detail) => detail },
  devices: { verb: bring, rest: (detail) => `the devices${detail === '' ? '' : ` (${detail})`}` },
  limits: { verb: be, rest: (detail) => detail },
};

/** How many types were left before a check and after it. */
interface Step {
  readonly before: number;
  readonly left: number;
  readonly isFirst: boolean;
}

/**
 * One check: `612 of 1,293 instance types fit the cpu`, `none of them fit the memory`, and of a single type `it does
 * not fit the memory`.
 */
const stepText = ({ check, detail }: InstanceTypeFilterCount, { before, left, isFirst }: Step): string => {
  const { verb, rest } = checks[check];
  if (before === 1) return `${isFirst ? 'its only instance type' : 'it'} ${verb.not} ${rest(detail)}`;
  const from = isFirst ? `of ${groupedDigits(before)} instance types` : 'of them';
  return `${left === 0 ? 'none' : groupedDigits(left)} ${from} ${left === 1 ? verb.one : verb.many} ${rest(detail)}`;
};

/** One text for each check. */
const funnelTexts = (removedBy: readonly InstanceTypeFilterCount[], total: number): readonly string[] => {
  if (total === 0) return ['its provider offers no instance type'];
  if (removedBy.length === 0)
    return [total === 1 ? 'its only instance type will not do' : `none of ${groupedDigits(total)} instance types will do`];
  let left = total;
  return removedBy.map((step, index) => {
    const before = left;
    left -= step.removed;
    return stepText(step, { before, left, isFirst: index === 0 });
  });
};

const limitText = ({ of: owner, resource, limit, used, least }: Extract<Reason, { readonly kind: 'limit' }>): string => {
  const its = owner === 'cluster' ? 'the cluster’s' : 'its';
  if (resource === 'nodes') return `${its} limit of ${groupedDigits(limit)} ${limit === 1 ? 'node' : 'nodes'} is reached`;
  const [of, left, need, taken] = [limit, limit - used, least, used].map((amount) => amountText(resource, Math.max(0, amount)));
  if (used > limit) return `${owner === 'cluster' ? 'the cluster' : 'it'} uses ${taken} ${resource} already, and its limit is ${of}`;
  return `${its} ${resource} limit leaves ${left} of ${of}, and the smallest instance type that would do has ${need}`;
};

const closedTexts: Readonly<Record<Extract<Reason, { readonly kind: 'closed' }>['by'], string>> = {
  'not-ready': 'it is not ready',
  'nothing-offered': 'its provider offers no instance type',
  'launches-failing': 'it pauses, because its launches keep failing',
  static: 'it keeps a fixed number of nodes (replicas), and launches none for pods',
  deleting: 'it is being deleted',
  foreign: 'its nodeClassRef names a group and kind of another provider',
  malformed: 'it is left out, because it is malformed',
};

/** Why a pool could not take the pod, in words: one text, or one for each check of its instance types. */
const poolTexts = (reason: Reason): readonly string[] => {
  switch (reason.kind) {
    case 'closed':
      return [closedTexts[reason.by]];
    case 'taint':
      return [`its taint ${taintAsText(reason)} is not tolerated`];
    case 'requirement':
      return [`the pod wants ${reason.wanted}, the pool offers ${reason.offered}`];
    case 'limit':
      return [limitText(reason)];
    case 'topology':
      return [`${reason.constraint} over ${reason.topologyKey} leaves no domain that its nodes could be in`];
    case 'min-values':
      return [`its minValues want ${reason.wanted} values of ${reason.key} among the instance types, ${reason.found} are left`];
    case 'instance-types':
      return funnelTexts(reason.removedBy, reason.total);
    default:
      return unreachable(reason);
  }
};

/** At most so many different reasons are written out, the others are counted: an event has little room. */
const MOST_SORTS = 4;

/** One sentence for all pools with the same reason: `NodePools a, b: its taint …`. */
const poolSentences = (pools: readonly PoolRejection[]): readonly string[] => {
  const namesByText = new Map<string, string[]>();
  for (const { nodePoolName, reason } of pools) {
    const text = poolTexts(reason).join('; ');
    addToGroup(namesByText, text, nodePoolName);
  }
  const named = [...namesByText].slice(0, MOST_SORTS);
  const otherPools = pools.length - named.reduce((sum, [, names]) => sum + names.length, 0);
  return [
    ...named.map(([text, names]) => `NodePool${names.length === 1 ? '' : 's'} ${listText(names)}: ${text}`),
    ...(otherPools === 0 ? [] : [`${otherPools} more NodePools have other reasons`]),
  ];
};

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
  const needs = `${groupedDigits(minMember)} pods of ${group} must have a place together`;
  if (members < minMember) return `${needs}, and there are ${groupedDigits(members)}`;
  return `${needs}, and ${groupedDigits(placed)} would. ${lacking === undefined ? '' : sentenceOf(lacking)}`;
};

const sentenceOf = ({ pod, reason }: Rejection): string => {
  const name = namespacedNameOf(pod.metadata);
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
      return `Pod ${name} is too complex: its ${reason.largest} make planning it cost ${groupedDigits(reason.units)} units, at most ${groupedDigits(reason.most)} are spent on a pod`;
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

/**
 * One line for people about a pod without a place: what would help, then why each NodePool could not take it. Line ends
 * in names are written out (`\n`), other control characters are not. Its length grows with the number of pools.
 */
export const explain = (rejection: Rejection): string => onOneLine(sentenceOf(rejection));

interface Branch {
  readonly text: string;
  readonly leaves: readonly string[];
}

const linesOf = (branches: readonly Branch[]): readonly string[] =>
  branches.flatMap(({ text, leaves }, i) => {
    const isLast = i === branches.length - 1;
    const [fork, trunk] = isLast ? ['└─ ', '   '] : ['├─ ', '│  '];
    const leafLines = leaves.map((leaf, j) => `${trunk}${j === leaves.length - 1 ? '└─ ' : '├─ '}${onOneLine(leaf)}`);
    return [fork + onOneLine(text), ...leafLines];
  });

/**
 * The same as `explain`, as a tree of lines: what would help, then every NodePool with a line for each check that
 * removed instance types. Lines are joined by `\n`, without one at the end; reasons other than `no-place` are one line.
 */
export const explainTree = (rejection: Rejection): string => {
  const { pod, reason } = rejection;
  if (reason.kind !== 'no-place') return explain(rejection);
  const branches = [
    ...reason.hints.map((hint) => ({ text: hintText(hint), leaves: [] })),
    ...reason.pools.map((pool) => ({ text: `NodePool ${pool.nodePoolName}`, leaves: poolTexts(pool.reason) })),
  ];
  return [onOneLine(`Pod ${namespacedNameOf(pod.metadata)} found no place`), ...linesOf(branches)].join('\n');
};
