import type { RecordedEvent } from '@karpenter/runtime';
import type { Pod } from '../../kube/index.ts';
import type { CommandSummary, Decision } from '../../ports/index.ts';
import { aboutClaim, aboutNode } from './event-subjects.ts';

const aboutPod = ({ metadata: { name, namespace, uid } }: Pod): RecordedEvent['subject'] => ({
  apiVersion: 'v1',
  kind: 'Pod',
  name,
  namespace: namespace ?? 'default',
  ...(uid === undefined ? {} : { uid }),
});

const eachCandidate = ({ candidates }: CommandSummary, event: Omit<RecordedEvent, 'subject'>): readonly RecordedEvent[] =>
  candidates.flatMap(({ name, claim }) => [
    { ...event, subject: aboutNode({ name }) },
    ...(claim === undefined ? [] : [{ ...event, subject: aboutClaim(claim) }]),
  ]);

/** What people who describe the objects concerned should read about a decision; often nothing. */
export const eventsOf = (decision: Decision): readonly RecordedEvent[] => {
  switch (decision.kind) {
    case 'launch-failed': {
      const { claim, reason, message, willRetry } = decision;
      if (willRetry || reason !== 'insufficient_capacity') return [];
      return [
        {
          subject: aboutClaim(claim),
          type: 'Warning',
          reason: 'InsufficientCapacityError',
          message: `NodeClaim ${claim.metadata.name} event: ${message}`,
        },
      ];
    }
    case 'taint-missing':
      return [
        {
          subject: aboutClaim(decision.claim),
          type: 'Warning',
          reason: 'UnregisteredTaintMissing',
          message: `Missing karpenter.sh/unregistered taint on node ${decision.nodeName}, which prevents registration related race conditions`,
        },
      ];
    case 'pod-evicted':
      return [{ subject: aboutPod(decision.pod), type: 'Normal', reason: 'Evicted', message: 'Evicted pod' }];
    case 'eviction-blocked':
      return [
        {
          subject: aboutNode({ name: decision.nodeName }),
          type: 'Warning',
          reason: 'FailedDraining',
          message: `Failed to drain node, ${decision.message}`,
        },
      ];
    case 'command-started': {
      const message = `Launching ${decision.command.replacements.length} replacement nodes for ${decision.command.candidates.length} nodes: ${decision.command.reason}`;
      return decision.command.replacements.length === 0
        ? []
        : eachCandidate(decision.command, { type: 'Normal', reason: 'DisruptionLaunching', message });
    }
    case 'command-succeeded':
      return eachCandidate(decision.command, {
        type: 'Normal',
        reason: 'DisruptionTerminating',
        message: `Disrupting Node: ${decision.command.reason}`,
      });
    default:
      return [];
  }
};
