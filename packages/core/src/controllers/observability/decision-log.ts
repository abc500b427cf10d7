import { keyString } from '@karpenter/runtime';
import type { LogFields } from '@karpenter/runtime';
import { explain, explainRelaxed } from '../../scheduling/index.ts';
import type { PlannedNode, Rejection, RejectionReason } from '../../scheduling/index.ts';
import { labels } from '../../apis/index.ts';
import type { NodeClaim } from '../../apis/index.ts';
import { timestampOf } from '../../base/index.ts';
import { isReschedulable } from '../../kube/index.ts';
import type { Pod } from '../../kube/index.ts';
import type { CommandSummary, Decision, Logger } from '../../ports/index.ts';

/** A log line has room for so many reasons; every pod has its own event. */
const MOST_REASONS = 5;

/**
 * Why pods found no place, one sentence for all pods that share a reason, those of most pods first; undefined where
 * every pod found one.
 */
export const unplacedTexts = (rejections: readonly Rejection[]): readonly string[] | undefined => {
  const expectant = rejections.filter(({ reason }) => reason.kind !== 'opted-out');
  if (expectant.length === 0) return undefined;
  const byReason = new Map<RejectionReason, { readonly first: Rejection; count: number }>();
  for (const rejection of expectant) {
    const known = byReason.get(rejection.reason);
    if (known === undefined) byReason.set(rejection.reason, { first: rejection, count: 1 });
    else known.count++;
  }
  return [...byReason.values()]
    .sort((a, b) => b.count - a.count)
    .slice(0, MOST_REASONS)
    .map(({ first, count }) => (count === 1 ? explain(first) : `${explain(first)} (and ${count - 1} more like it)`));
};

/** A log line has room for so many groups of pods without some of their preferences; each has its own event. */
const MOST_RELAXED_GROUPS = 5;

type Line = { readonly level: 'debug' | 'info' | 'warn'; readonly message: string; readonly fields: LogFields };
type Of<K extends Decision['kind']> = Extract<Decision, { readonly kind: K }>;
type Lines = { readonly [K in Decision['kind']]: (decision: Of<K>) => Line };

const info = (message: string, fields: LogFields): Line => ({ level: 'info', message, fields });
const warn = (message: string, fields: LogFields): Line => ({ level: 'warn', message, fields });
const debug = (message: string, fields: LogFields): Line => ({ level: 'debug', message, fields });

const podName = ({ metadata }: Pod): string => keyString(metadata);
const cents = (dollars: number): number => Math.round(dollars * 1e5) / 1e5;

const machineFields = ({ cheapest: { instanceType, offering } }: PlannedNode): LogFields => ({
  sku: instanceType.name,
  zone: offering.zone,
  capacityType: offering.capacityType,
});

const claimFields = (claim: NodeClaim | undefined): LogFields => ({
  nodeClaim: claim?.metadata.name,
  nodePool: claim?.metadata.labels?.[labels.nodePool],
});

const commandFields = ({ id, method, reason, decision, candidates, replacements, savingsPerHour }: CommandSummary): LogFields => ({
  command: id,
  method,
  reason,
  decision,
  candidates: candidates.map(({ name, labels: has, pods }) => ({
    node: name,
    sku: has[labels.instanceType],
    zone: has[labels.zone],
    capacityType: has[labels.capacityType],
    pods: pods.filter(isReschedulable).length,
  })),
  replacements: replacements.map(machineFields),
  savingsPerHour: cents(savingsPerHour),
});

/** Of objects that may be thousands. */
const MOST_NAMED = 20;

/** Stable messages: dashboards and the demo's table read them. Prices are dollars an hour, times milliseconds. */
const lines: Lines = {
  'plan-computed': ({ plan, pods, durationMs }) =>
    info('plan computed', {
      pods,
      plannedNodes: plan.plannedNodes.length,
      placements: plan.placements.size,
      rejected: plan.rejections.length,
      unplaced: unplacedTexts(plan.rejections),
      relaxed: plan.relaxed?.slice(0, MOST_RELAXED_GROUPS).map(explainRelaxed),
      pricePerHour: cents(plan.pricePerHour),
      durationMs,
    }),
  'left-out': ({ leftOut: { kind, name, problem } }) => warn('left out of planning', { kind, name, ...problem }),
  quarantined: ({ subjects, error, untilMs }) =>
    warn('left out because it triggers a bug', {
      objects: subjects.slice(0, MOST_NAMED).map((subject) => `${subject.kind} ${keyString(subject)}`),
      count: subjects.length,
      ...(untilMs !== undefined && { until: timestampOf(untilMs) }),
      error,
    }),
  'unclean-end': ({ during, untilMs }) =>
    warn('the process before this one ended while it planned: plans are made in parts', {
      during: during.slice(0, MOST_NAMED),
      count: during.length,
      until: timestampOf(untilMs),
    }),
  'memory-short': ({ usedRatio }) =>
    warn('little memory is left: plans are made in smaller portions', { usedPercent: Math.round(usedRatio * 100) }),
  'claim-not-made': ({ planned, error }) => warn('nodeclaim not made because of a bug', { nodePool: planned.nodePoolName, error }),
  'report-failed': ({ about, error }) => warn('a report failed', { item: about, error }),
  'node-claim-created': ({ claim, planned, reason }) =>
    info('nodeclaim created', {
      name: claim.metadata.name,
      nodePool: planned.nodePoolName,
      reason,
      cheapest: machineFields(planned),
      pricePerHour: cents(planned.cheapest.offering.pricePerHour),
      instanceTypes: planned.instanceTypes.length,
      pods: planned.pods.length,
    }),
  'node-claim-unanswered': ({ claim, error }) => warn('nodeclaim creation not answered, asked again', { ...claimFields(claim), error }),
  'node-claim-refused': ({ planned, resource, of }) =>
    warn('nodeclaim refused by limit', { nodePool: planned.nodePoolName, resource, limitOf: of }),
  'node-claim-invalid': ({ planned, message }) =>
    warn('nodeclaim refused by the API server', { nodePool: planned.nodePoolName, pods: planned.pods.length, message }),
  launched: ({ claim, labels: has, tookMs }) =>
    info('nodeclaim launched', {
      ...claimFields(claim),
      sku: has[labels.instanceType],
      zone: has[labels.zone],
      capacityType: has[labels.capacityType],
      tookMs,
    }),
  'launch-failed': ({ claim, reason, message, willRetry }) =>
    warn('launch failed', { ...claimFields(claim), reason, why: message, willRetry }),
  registered: ({ claim, nodeName, tookMs }) => info('nodeclaim registered', { ...claimFields(claim), node: nodeName, tookMs }),
  'taint-missing': ({ claim, nodeName }) => warn('node came up without the unregistered taint', { ...claimFields(claim), node: nodeName }),
  initialized: ({ claim, nodeName, tookMs }) => info('nodeclaim initialized', { ...claimFields(claim), node: nodeName, tookMs }),
  'never-initialized': ({ claim, message }) => warn('nodeclaim never initialized', { ...claimFields(claim), why: message }),
  'finalizer-removed': ({ claim }) => warn('finalizer of nodeclaim was removed', claimFields(claim)),
  'claim-disrupted': ({ claim, reason }) => info('nodeclaim disrupted', { ...claimFields(claim), reason }),
  'claim-terminated': ({ claim, tookMs }) => info('nodeclaim terminated', { ...claimFields(claim), tookMs }),
  'node-drained': ({ node, claim }) => info('node drained', { node: node.metadata.name, ...claimFields(claim) }),
  'node-terminated': ({ node, claim, tookMs }) => info('node terminated', { node: node.metadata.name, ...claimFields(claim), tookMs }),
  'pod-bound': ({ pod, tookMs }) => debug('pod bound', { pod: podName(pod), node: pod.spec.nodeName, tookMs }),
  'pod-evicted': ({ pod, nodeName, reason }) => debug('pod evicted', { pod: podName(pod), node: nodeName, reason }),
  'pod-forced': ({ pod, nodeName, graceSeconds }) => info('pod deleted past budgets', { pod: podName(pod), node: nodeName, graceSeconds }),
  'drain-waiting': ({ node, claim, message }) => warn('drain waits', { node: node.metadata.name, ...claimFields(claim), why: message }),
  'deadline-nears': ({ node, claim, deadline }) =>
    info('node must be gone by', { node: node.metadata.name, ...claimFields(claim), deadline }),
  'volumes-awaited': ({ node, volumes }) => info('waiting for volumes to be detached', { node: node.metadata.name, volumes }),
  'claim-inconsistent': ({ claim, message }) => warn('node is not as promised', { ...claimFields(claim), why: message }),
  'repair-blocked': ({ node, claim }) =>
    warn('node repair blocked: too many nodes are unhealthy', { node: node.metadata.name, ...claimFields(claim) }),
  'node-unhealthy': ({ node, claim, condition }) =>
    info('deleting unhealthy node', { node: node.metadata.name, ...claimFields(claim), condition }),
  interrupted: ({ node, claim, reason, deadlineMs }) =>
    info('machine is taken away by the cloud', {
      node: node.metadata.name,
      ...claimFields(claim),
      reason,
      deadline: timestampOf(deadlineMs),
    }),
  'eviction-blocked': ({ pod, nodeName, message }) => info('eviction blocked', { pod: podName(pod), node: nodeName, why: message }),
  'eviction-failed': ({ pod, status, message }) => debug('eviction failed', { pod: podName(pod), status, why: message }),
  'pods-nominated': ({ nodeName, pods }) => debug('pods nominated', { node: nodeName, pods }),
  'nomination-failed': ({ pod, message }) => warn('nomination not written', { pod: podName(pod), why: message }),
  'command-proposed': ({ command }) => debug('command proposed', commandFields(command)),
  'command-started': ({ command }) => info('command started', commandFields(command)),
  'command-waiting': ({ command, claimNames }) => debug('command waits for its replacements', { command: command.id, claimNames }),
  'command-succeeded': ({ command }) => info('command succeeded', commandFields(command)),
  'command-abandoned': ({ command, why }) => info('command abandoned', { ...commandFields(command), why }),
  'rebalance-changed': ({ plan: { metadata, status } }) =>
    info('rebalance plan changed', { rebalancePlan: metadata.name, phase: status?.phase, waves: status?.waves, why: status?.message }),
  'budgets-read': ({ allowances }) => debug('budgets read', { allowances: allowances.length }),
  'candidates-counted': ({ eligible }) => debug('candidates counted', Object.fromEntries(eligible)),
  'method-evaluated': ({ method, reason, tookMs }) => debug('method evaluated', { method, reason, tookMs }),
  'moves-weighed': ({ moves }) =>
    debug('moves weighed', { moves: moves.length, worthIt: moves.filter(({ isWorthIt }) => isWorthIt).length }),
  'resizes-read': ({ pods }) => debug('pods whose resize does not go on', { pods: pods.length }),
  'do-not-disrupt-read': ({ pods }) => debug('pods with a do-not-disrupt that is no plain true', { pods: pods.length }),
  'nodes-kept': ({ kept }) => debug('nodes kept', { nodes: kept.length }),
  'catalog-failed': ({ nodePoolName, error }) => warn('instance types not known', { nodePool: nodePoolName, error }),
  'machine-collected': ({ providerId }) => info('machine without nodeclaim deleted', { providerId }),
};

/** Writes a decision as one structured line. */
export const logDecision = (logger: Logger, decision: Decision): void => {
  // The table holds for each kind a function of that kind, which the compiler cannot follow through an index.
  const line = (lines[decision.kind] as (decision: Decision) => Line)(decision);
  logger[line.level](line.message, line.fields);
};
