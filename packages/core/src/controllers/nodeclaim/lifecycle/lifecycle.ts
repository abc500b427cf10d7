import { requeueAfter, settled } from '@karpenter/runtime';
import type { Controller } from '@karpenter/runtime';
import { deleteNodeClaim, patchNodeClaim } from '../../../actions/index.ts';
import { TERMINATION_FINALIZER } from '../../../apis/index.ts';
import type { NodeClaim } from '../../../apis/index.ts';
import { isDeleting, isInitialized, isLaunched, isRegistered } from '../../../state/index.ts';
import { isManaged } from '../../managed.ts';
import { nodesOfClaims } from '../../node-claim-watches.ts';
import type { Shell } from '../../shell.ts';
import { finalize } from './finalize.ts';
import { initialize } from './initialize.ts';
import { Launch } from './launch.ts';
import { livenessOf } from './liveness-of.ts';
import { register } from './register.ts';

const hasFinalizer = ({ metadata }: NodeClaim): boolean => metadata.finalizers?.includes(TERMINATION_FINALIZER) ?? false;

/** So many launches at a time: one that hangs holds up none of the others. */
const CONCURRENCY = 1000;

/**
 * Leads a claim from wanted to gone: finalizer, launch, registration, initialization, end. Each step is written down before the next, so
 * that a restart goes on where the last one stopped.
 */
export const lifecycle = (shell: Shell): Controller<NodeClaim> => {
  const launch = new Launch(shell);
  return {
    name: 'nodeclaim.lifecycle',
    kind: 'NodeClaim',
    concurrency: CONCURRENCY,
    watches: [nodesOfClaims(shell.state)],
    async reconcile(claim, { signal }) {
      if (!isManaged(claim.spec.nodeClassRef, shell.provider)) return settled;
      if (isDeleting(claim)) return finalize(shell, claim, signal);
      if (!hasFinalizer(claim)) {
        const finalizers = [...(claim.metadata.finalizers ?? []), TERMINATION_FINALIZER];
        await patchNodeClaim(shell, { claim, body: { metadata: { finalizers } } }, { signal });
        return settled;
      }
      const liveness = livenessOf(claim, shell.clock.now());
      if (liveness.kind === 'overdue') {
        await deleteNodeClaim(shell, claim, { reason: liveness.reason, signal });
        return settled;
      }
      const withinMs = liveness.kind === 'due' ? liveness.inMs : Number.POSITIVE_INFINITY;
      if (!isLaunched(claim)) return launch.run(claim, { withinMs, signal });
      if (!isRegistered(claim)) {
        await register(shell, claim, signal);
        return requeueAfter(withinMs);
      }
      if (!isInitialized(claim)) await initialize(shell, claim, signal);
      return settled;
    },
  };
};
