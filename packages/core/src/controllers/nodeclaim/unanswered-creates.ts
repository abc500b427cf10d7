import { requeueAfter } from '@karpenter/runtime';
import type { SingletonController } from '@karpenter/runtime';
import { Backoff, createExpected, isClaimRefusal, settleMade } from '../../actions/index.ts';
import { nodePoolNameOf } from '../../apis/index.ts';
import type { NodeClaim } from '../../apis/index.ts';
import type { ExpectedClaim } from '../../state/index.ts';
import { truncate } from './lifecycle/launch.ts';
import type { Shell } from '../shell.ts';

const PERIOD_MS = 1000;
/** A plan older than this is no longer carried out. */
const WANTED_MS = 60_000;
/** The API server's `--request-timeout`: what it has not done by then it never will. */
const REQUEST_TIMEOUT_MS = 60_000;

/** Whether the pool that the claim is for is still there. */
const hasPool = ({ caches }: Shell, claim: NodeClaim): boolean => {
  const pool = caches.nodePools.get({ name: nodePoolNameOf(claim) });
  return (
    pool !== undefined && pool.metadata.deletionTimestamp === undefined && claim.metadata.ownerReferences?.[0]?.uid === pool.metadata.uid
  );
};

/** Asks the API server about a claim that is no longer wanted. */
const askServer = async (shell: Shell, { claim, report }: ExpectedClaim, signal: AbortSignal): Promise<void> => {
  const { name } = claim.metadata;
  const made = await shell.kube.get<NodeClaim>('NodeClaim', { name }, { signal });
  if (made === undefined) shell.state.expected.settle(name);
  else await settleMade(shell, made, { report, signal });
};

/** Creates the claim again. A refusal says nothing of the request before it, which may have been done. */
const createAgain = async (shell: Shell, expected: ExpectedClaim, signal: AbortSignal): Promise<void> => {
  try {
    await createExpected(shell, expected, signal);
  } catch (error) {
    if (!isClaimRefusal(error)) throw error;
    shell.reporter.report({ kind: 'node-claim-invalid', planned: expected.report.planned, message: truncate(error.message) });
  }
};

/**
 * Finds out what became of claims whose creation was not answered. The claim is created again under the same name, so
 * that there is exactly one whatever the first request did. An old plan is not repeated, but it is forgotten only once
 * none of its requests can still be under way. Differs: the original forgets at once, and may create a second claim for
 * the same pods.
 */
export const unansweredCreates = (shell: Shell): SingletonController => {
  const { state, clock } = shell;
  const backoff = new Backoff(clock, { baseMs: 1000, maxMs: 10_000 });

  const settle = async (expected: ExpectedClaim, signal: AbortSignal): Promise<void> => {
    const { claim, sinceMs, askedMs } = expected;
    const nowMs = clock.now();
    const known = shell.caches.nodeClaims.get(claim.metadata);
    if (known !== undefined) return settleMade(shell, known, { ...expected, signal });
    if (nowMs < sinceMs + WANTED_MS && hasPool(shell, claim)) {
      if (backoff.remainingMs(claim.metadata.name) > 0) return;
      backoff.failed(claim.metadata.name);
      await createAgain(shell, expected, signal);
    } else if (nowMs >= askedMs + REQUEST_TIMEOUT_MS) await askServer(shell, expected, signal);
  };

  return {
    name: 'nodeclaim.unansweredcreates',
    async reconcile({ signal }) {
      await Promise.all(state.expected.unanswered().map((expected) => settle(expected, signal)));
      return requeueAfter(PERIOD_MS);
    },
  };
};
