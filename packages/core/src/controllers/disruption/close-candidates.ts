import { taintDisrupted, untaintDisrupted, writeClaimStatus } from '../../actions/index.ts';
import type { ConditionChange } from '../../actions/index.ts';
import { nodeClaimConditions } from '../../apis/index.ts';
import type { NodeView } from '../../cluster/index.ts';
import type { Command } from '../../disruption/index.ts';
import type { Shell } from '../shell.ts';

const type = nodeClaimConditions.disruptionReason;

const mark = async (
  shell: Shell,
  { node, condition }: { node: NodeView; condition: ConditionChange },
  signal: AbortSignal,
): Promise<void> => {
  const claim = shell.caches.nodeClaims.get({ name: node.claim?.metadata.name ?? '' });
  if (claim === undefined || claim.metadata.deletionTimestamp !== undefined) return;
  await writeClaimStatus(shell, { claim, conditions: [condition] }, { signal, nowMs: shell.clock.now() });
};

/** Keeps new pods off a command's nodes, and says why on their claims. Safe to repeat. */
export const closeCandidates = async (shell: Shell, { candidates, reason }: Command, signal: AbortSignal): Promise<void> => {
  await Promise.all(
    candidates.map(async ({ node }) => {
      const current = shell.caches.nodes.get({ name: node.name });
      if (current !== undefined) await taintDisrupted(shell, current, signal);
      await mark(shell, { node, condition: { type, status: 'True', reason, message: reason } }, signal);
    }),
  );
};

/** Opens nodes again that are not to go after all. Safe to repeat; nodes that are going anyway are left alone. */
export const openCandidates = async (shell: Shell, nodes: readonly NodeView[], signal: AbortSignal): Promise<void> => {
  await Promise.all(
    nodes.map(async (node) => {
      const current = shell.caches.nodes.get({ name: node.name });
      if (current !== undefined && current.metadata.deletionTimestamp === undefined) await untaintDisrupted(shell, current, signal);
      await mark(shell, { node, condition: { type, cleared: true } }, signal);
    }),
  );
};
