import { requeueAfter, settled, watchOf } from '@karpenter/runtime';
import type { Controller } from '@karpenter/runtime';
import { writeClaimStatus } from '../../actions/index.ts';
import type { NodeClaim } from '../../apis/index.ts';
import { epochMsOf, timestampOf, unreachable } from '../../base/index.ts';
import type { Pod } from '../../kube/index.ts';
import { isDeleting } from '../../state/index.ts';
import { isManaged } from '../../cloudprovider/index.ts';
import type { Shell } from '../shell.ts';

const DEDUPE_MS = 10_000;

/** What to do about the last pod event of a node: nothing, write it down, or wait so as not to write too often. */
export type PodEventDue = { readonly kind: 'nothing' } | { readonly kind: 'write' } | { readonly kind: 'later'; readonly inMs: number };

/** `written` is the claim's `lastPodEventTime`, in whole seconds; `seenMs` what this process saw. */
export const podEventDue = (written: string | undefined, seenMs: number | undefined, nowMs: number): PodEventDue => {
  const writtenMs = epochMsOf(written);
  if (seenMs === undefined || (writtenMs !== undefined && Math.floor(seenMs / 1000) * 1000 <= writtenMs)) return { kind: 'nothing' };
  if (writtenMs === undefined || nowMs >= writtenMs + DEDUPE_MS) return { kind: 'write' };
  return { kind: 'later', inMs: writtenMs + DEDUPE_MS - nowMs };
};

/**
 * Keeps `status.lastPodEventTime`: when a pod last came to the claim's node or left it. `consolidateAfter` counts from
 * there.
 */
export const podEvents = (shell: Shell): Controller<NodeClaim> => ({
  name: 'nodeclaim.podevents',
  kind: 'NodeClaim',
  concurrency: 10,
  watches: [
    watchOf<Pod>('Pod', ({ object }) => {
      const claim = object.spec.nodeName === undefined ? undefined : shell.state.claimOnNode(object.spec.nodeName);
      return claim === undefined ? [] : [{ name: claim.metadata.name }];
    }),
  ],
  async reconcile(claim, { signal }) {
    const nodeName = claim.status?.nodeName;
    if (nodeName === undefined || isDeleting(claim) || !isManaged(claim.spec.nodeClassRef, shell.provider)) return settled;
    const nowMs = shell.clock.now();
    const seenMs = shell.state.lastPodEventMs(nodeName);
    const due = podEventDue(claim.status?.lastPodEventTime, seenMs, nowMs);
    switch (due.kind) {
      case 'nothing':
        return settled;
      case 'later':
        return requeueAfter(due.inMs);
      case 'write':
        await writeClaimStatus(
          shell,
          { claim, conditions: [], fields: { lastPodEventTime: timestampOf(seenMs ?? nowMs) } },
          { signal, nowMs },
        );
        return settled;
      default:
        return unreachable(due);
    }
  },
});
