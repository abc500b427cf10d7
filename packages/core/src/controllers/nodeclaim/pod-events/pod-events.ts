import { requeueAfter, settled, watchOf } from '@karpenter/runtime';
import type { Controller } from '@karpenter/runtime';
import { writeClaimStatus } from '../../../actions/index.ts';
import type { NodeClaim } from '../../../apis/index.ts';
import { timestampOf, unreachable } from '../../../base/index.ts';
import type { Pod } from '../../../kube/index.ts';
import { isDeleting } from '../../../state/index.ts';
import { isManaged } from '../../../cloudprovider/index.ts';
import type { Shell } from '../../shell.ts';
import { podEventDue } from './pod-event-due.ts';

/** Keeps `status.lastPodEventTime`: when a pod last came to the claim's node or left it. `consolidateAfter` counts from there. */
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
