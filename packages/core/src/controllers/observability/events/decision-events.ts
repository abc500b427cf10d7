import type { RecordedEvent } from '@karpenter/runtime';
import { rebalancePlanConditions, TERMINATION_FINALIZER } from '../../../apis/index.ts';
import type { NodeClaim, RebalancePlan } from '../../../apis/index.ts';
import { timestampOf } from '../../../base/index.ts';
import { conditionOf } from '../../../kube/index.ts';
import type { CommandSummary, Decision } from '../../../ports/index.ts';
import { SAID_AGAIN_AFTER_MS, aboutClaim, aboutNode, aboutPod, aboutPool, aboutRebalancePlan } from './event-subjects.ts';
import { consolidationTypeOf } from '../metrics/core-metrics.ts';
import { nodeTroubleEvents } from './node-events.ts';

/** An event on each node of a command and on its claim; `text` makes the message for a kind. */
const eachCandidate = (
  { candidates }: CommandSummary,
  event: Pick<RecordedEvent, 'type' | 'reason'>,
  text: (kind: 'Node' | 'NodeClaim') => string,
): readonly RecordedEvent[] =>
  candidates.flatMap(({ name, claim }) => [
    { ...event, message: text('Node'), subject: aboutNode({ name }) },
    ...(claim === undefined ? [] : [{ ...event, message: text('NodeClaim'), subject: aboutClaim(claim) }]),
  ]);

/** What a command would do, and what that saves. */
const textOf = ({ decision, candidates, replacements, savingsPerHour }: CommandSummary): string => {
  const action = decision === 'delete' ? 'Delete' : `Replace by ${replacements.length}`;
  return `${action}, of ${candidates.length} nodes, saving $${savingsPerHour.toFixed(4)} an hour`;
};

/** Only of moves that save money: that a node is empty or has drifted is weighed against nothing. */
const consolidationEvents = (command: CommandSummary, reason: string, message: string): readonly RecordedEvent[] =>
  ['multi', 'single'].includes(consolidationTypeOf(command.method))
    ? eachCandidate(command, { type: 'Normal', reason }, () => message)
    : [];

type Of<K extends Decision['kind']> = Extract<Decision, { readonly kind: K }>;
type Events = { readonly [K in Decision['kind']]?: (decision: Of<K>) => readonly RecordedEvent[] };

const finalized = { type: 'Normal', reason: 'Finalized', message: `Finalized ${TERMINATION_FINALIZER}` } as const;

type Said = Pick<RecordedEvent, 'reason' | 'message'>;

/** The event on a claim that is deleted at its launch, by the reason. For other reasons the pool has an event. */
const LAUNCH_FAILURES: Readonly<Record<string, ((claim: NodeClaim, message: string) => Said) | undefined>> = {
  insufficient_capacity: ({ metadata: { name } }, message) => ({
    reason: 'InsufficientCapacityError',
    message: `NodeClaim ${name} event: ${message}`,
  }),
  launch_refused: (_, message) => ({ reason: 'LaunchRefused', message: `The cloud refuses the machine: ${message}` }),
  async_provisioning: (_, message) => ({ reason: 'AsyncProvisioningError', message: `Failed to register: ${message}` }),
};

type RebalanceStatus = NonNullable<RebalancePlan['status']>;

/** What became of the waves between two states of a plan. */
const waveChanges = (before: RebalanceStatus, after: RebalanceStatus): readonly Said[] => {
  const { waves = 0, nodes, savingsPerHour, retryTime, message = '' } = after;
  const done = {
    reason: 'WaveDone',
    message: `Wave ${waves} is done; nodes gone so far: ${String(nodes)}, saving $${String(savingsPerHour)} an hour`,
  };
  const calledOff = {
    reason: 'WaveCalledOff',
    message: `Wave ${waves + 1} is called off and its nodes stay; the next starts after ${String(retryTime)}`,
  };
  const started = { reason: 'WaveStarted', message: message.replace('Wave under way', `Wave ${waves + 1}`) };
  const has = (field: keyof RebalanceStatus): boolean => after[field] !== undefined && after[field] !== before[field];
  const isNewWave = after.wave !== undefined && after.wave.startTime !== before.wave?.startTime;
  return [...(has('waves') ? [done] : []), ...(has('retryTime') ? [calledOff] : []), ...(isNewWave ? [started] : [])];
};

/** The end of a plan, or what keeps it from its next wave. */
const standingChange = (before: RebalanceStatus, after: RebalanceStatus): readonly Said[] => {
  const { message = '', phase, completionTime } = after;
  const [was, is] = [before, after].map(({ conditions }) => conditionOf(conditions, rebalancePlanConditions.progressing)?.reason);
  if (was === is) return [];
  if (completionTime !== undefined) return [phase === 'Cancelled' ? { reason: 'Cancelled', message } : { reason: 'Completed', message }];
  switch (is) {
    case 'Paused':
      return [{ reason: 'Paused', message }];
    case 'HeldUp':
      return [{ reason: 'HeldUp', message }];
    default:
      return was === 'Paused' ? [{ reason: 'Resumed', message }] : [];
  }
};

const nameOfError = (error: unknown): string => (error instanceof Error ? `${error.name}: ${error.message}` : String(error));

const events: Events = {
  quarantined: ({ subjects, error, untilMs }) =>
    subjects.map((subject) => ({
      subject,
      type: 'Warning',
      reason: 'Quarantined',
      message: `Left out ${untilMs === undefined ? 'until it changes' : `of planning until it changes, or until ${timestampOf(untilMs)}`}: it triggers a bug in Karpenter (${nameOfError(error)})`,
    })),
  'node-claim-invalid': ({ planned: { nodePoolName, pods }, message }) => [
    {
      subject: aboutPool(nodePoolName),
      type: 'Warning',
      reason: 'NodeClaimRefused',
      message: `The API server refuses a NodeClaim of this pool: ${message}`,
      dedupeForMs: SAID_AGAIN_AFTER_MS,
    },
    ...pods.map((pod) => ({
      subject: aboutPod(pod),
      type: 'Warning' as const,
      reason: 'FailedScheduling',
      message: `The API server refuses the NodeClaim of nodepool/${nodePoolName} that was planned for this pod: ${message}`,
      dedupeForMs: SAID_AGAIN_AFTER_MS,
    })),
  ],
  'launch-failed': ({ claim, reason, message, willRetry }) => {
    const said = LAUNCH_FAILURES[reason];
    return willRetry || said === undefined ? [] : [{ subject: aboutClaim(claim), type: 'Warning', ...said(claim, message) }];
  },
  'taint-missing': ({ claim, nodeName }) => [
    {
      subject: aboutClaim(claim),
      type: 'Warning',
      reason: 'UnregisteredTaintMissing',
      message: `Missing karpenter.sh/unregistered taint on node ${nodeName}, which prevents registration related race conditions`,
    },
  ],
  'never-initialized': ({ claim, message }) => [{ subject: aboutClaim(claim), type: 'Warning', reason: 'InitializationTimeout', message }],
  'finalizer-removed': ({ claim }) => [
    {
      subject: aboutClaim(claim),
      type: 'Warning',
      reason: 'FinalizerRemoved',
      message:
        'The finalizer karpenter.sh/termination was removed again. Without it, this NodeClaim ends as soon as it is deleted, and garbage collection deletes its machine a few minutes later, whether its node is drained or not',
    },
  ],
  'pod-evicted': ({ pod, reason }) => [{ subject: aboutPod(pod), type: 'Normal', reason: 'Evicted', message: `Evicted pod: ${reason}` }],
  'pod-forced': ({ pod, graceSeconds }) => [
    {
      subject: aboutPod(pod),
      type: 'Normal',
      reason: 'Disrupted',
      message: `Deleting the pod because its node must go; it has ${graceSeconds} seconds. Disruption budgets and karpenter.sh/do-not-disrupt do not count`,
    },
  ],
  'drain-waiting': nodeTroubleEvents,
  'claim-terminated': ({ claim }) => [{ ...finalized, subject: aboutClaim(claim) }],
  'node-terminated': ({ node }) => [{ ...finalized, subject: aboutNode(node.metadata) }],
  'deadline-nears': nodeTroubleEvents,
  'volumes-awaited': nodeTroubleEvents,
  'repair-blocked': nodeTroubleEvents,
  'claim-inconsistent': nodeTroubleEvents,
  interrupted: nodeTroubleEvents,
  'budgets-read': ({ allowances }) =>
    allowances.flatMap(({ nodePoolName, reason, nodes, allowed }) =>
      nodes === 0 || allowed > 0
        ? []
        : {
            subject: aboutPool(nodePoolName),
            type: 'Normal',
            reason: 'DisruptionBlocked',
            message: `No allowed disruptions for disruption reason ${reason} due to blocking budget`,
            dedupeForMs: SAID_AGAIN_AFTER_MS,
          },
    ),
  'command-proposed': ({ command }) => consolidationEvents(command, 'ConsolidationCandidate', textOf(command)),
  'command-abandoned': ({ command, why }) => consolidationEvents(command, 'ConsolidationRejected', `${textOf(command)}: ${why}`),
  'command-started': ({ command, claimNames }) => [
    ...consolidationEvents(command, 'ConsolidationApproved', textOf(command)),
    ...claimNames.map((name) => ({
      subject: aboutClaim({ metadata: { name } }),
      type: 'Normal' as const,
      reason: 'DisruptionLaunching',
      message: `Launching NodeClaim: ${command.reason}`,
    })),
  ],
  'command-waiting': ({ claimNames }) =>
    claimNames.map((name) => ({
      subject: aboutClaim({ metadata: { name } }),
      type: 'Normal',
      reason: 'DisruptionWaitingReadiness',
      message: 'Waiting on readiness to continue disruption',
    })),
  'rebalance-changed': ({ plan, before }) =>
    [...waveChanges(before, plan.status ?? {}), ...standingChange(before, plan.status ?? {})].map((said) => ({
      subject: aboutRebalancePlan(plan),
      type: 'Normal',
      ...said,
    })),
  'command-succeeded': ({ command }) =>
    eachCandidate(command, { type: 'Normal', reason: 'DisruptionTerminating' }, (kind) => `Disrupting ${kind}: ${command.reason}`),
};

/** What people who describe the objects concerned should read about a decision; often nothing. */
export const eventsOf = (decision: Decision): readonly RecordedEvent[] =>
  // The table holds for each kind a function of that kind, which the compiler cannot follow through an index.
  (events[decision.kind] as ((decision: Decision) => readonly RecordedEvent[]) | undefined)?.(decision) ?? [];
