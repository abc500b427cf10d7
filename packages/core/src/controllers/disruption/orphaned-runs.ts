import { nodeClaimConditions } from '../../apis/index.ts';
import type { NodeClaim } from '../../apis/index.ts';
import { compareText } from '../../base/index.ts';
import type { NodeView } from '../../cluster/index.ts';
import { isConditionTrue } from '../../kube/index.ts';
import { commandRecordOf } from '../../state/index.ts';
import type { CommandRecord } from '../../state/index.ts';
import type { CommandRun } from './command-run.ts';

interface Recorded {
  readonly record: CommandRecord;
  readonly claims: readonly NodeClaim[];
}

/** Records by command, each with the replacements that carry it. */
const recordedIn = (nodes: readonly NodeView[]): readonly Recorded[] => {
  const found = new Map<string, Recorded>();
  for (const { claim, isMarkedForDeletion } of nodes) {
    if (claim === undefined || isMarkedForDeletion) continue;
    const record = commandRecordOf(claim);
    if (record !== undefined) found.set(record.id, { record, claims: [...(found.get(record.id)?.claims ?? []), claim] });
  }
  return [...found.values()];
};

const isClosed = ({ claim }: NodeView): boolean => isConditionTrue(claim?.status?.conditions, nodeClaimConditions.disruptionReason);

/** Whether every replacement exists and every candidate is closed. */
const isComplete = ({ record, claims }: Recorded, candidates: readonly NodeView[]): boolean =>
  claims.length === record.replacements && candidates.every(isClosed);

const runOf = (recorded: Recorded, candidates: readonly NodeView[]): CommandRun => {
  const { record, claims } = recorded;
  const { id, method, reason, startedMs, savingsPerHour } = record;
  const claimNames = claims.map(({ metadata }) => metadata.name).sort(compareText);
  return {
    summary: { id, method, reason, decision: 'replace', candidates, replacements: [], savingsPerHour },
    startedMs,
    stage: isComplete(recorded, candidates) ? { kind: 'replacing', claimNames } : { kind: 'called-off', why: 'replacement-gone' },
  };
};

/**
 * Commands of a process that died, as long as some of their candidates are not on their way out. A command continues if
 * all its replacements exist and all its candidates are closed; any other was only half started, or being called off,
 * and is called off. `known`: ids of commands in progress here.
 */
export const orphanedRuns = (nodes: readonly NodeView[], known: ReadonlySet<string>): readonly CommandRun[] => {
  const recorded = recordedIn(nodes).filter(({ record }) => !known.has(record.id));
  if (recorded.length === 0) return [];
  const byClaim = new Map(nodes.map((node) => [node.claim?.metadata.name, node]));
  return recorded.flatMap((each) => {
    const staying = each.record.candidates.flatMap((name) => byClaim.get(name) ?? []).filter((node) => !node.isMarkedForDeletion);
    return staying.length > 0 ? [runOf(each, staying)] : [];
  });
};
