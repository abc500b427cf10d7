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
  for (const { claim } of nodes) {
    if (claim === undefined || claim.metadata.deletionTimestamp !== undefined) continue;
    const record = commandRecordOf(claim);
    if (record !== undefined) found.set(record.id, { record, claims: [...(found.get(record.id)?.claims ?? []), claim] });
  }
  return [...found.values()];
};

const isClosed = ({ claim }: NodeView): boolean => isConditionTrue(claim?.status?.conditions, nodeClaimConditions.disruptionReason);

const runOf = ({ record, claims }: Recorded, candidates: readonly NodeView[]): CommandRun => {
  const { id, method, reason, startedMs, savingsPerHour } = record;
  const claimNames = claims.map(({ metadata }) => metadata.name).sort(compareText);
  return {
    summary: { id, method, reason, decision: 'replace', candidates, replacements: [], savingsPerHour },
    startedMs,
    stage: { kind: 'replacing', claimNames },
  };
};

/**
 * Commands that nobody leads because their process died: every replacement was asked for, and of the candidates all that have not been told
 * to go are closed still. `led` are the ids of those that somebody leads.
 */
export const orphanedRuns = (nodes: readonly NodeView[], led: ReadonlySet<string>): readonly CommandRun[] => {
  const recorded = recordedIn(nodes).filter(({ record, claims }) => !led.has(record.id) && claims.length === record.replacements);
  if (recorded.length === 0) return [];
  const byClaim = new Map(nodes.map((node) => [node.claim?.metadata.name, node]));
  return recorded.flatMap((each) => {
    const staying = each.record.candidates.flatMap((name) => byClaim.get(name) ?? []).filter((node) => !node.isMarkedForDeletion);
    return staying.length > 0 && staying.every(isClosed) ? [runOf(each, staying)] : [];
  });
};
