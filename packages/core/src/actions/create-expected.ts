import { KubeError } from '@karpenter/runtime';
import type { KubeErrorCode } from '@karpenter/runtime';
import type { NodeClaim } from '../apis/index.ts';
import type { DecisionReporter } from '../ports/index.ts';
import type { ClusterState, ExpectedClaim } from '../state/index.ts';
import type { Acting } from './write-through.ts';

export interface Expecting extends Acting {
  readonly state: Pick<ClusterState, 'expected'>;
  readonly reporter: DecisionReporter;
}

/** After these nobody knows whether the write was done. */
const UNCERTAIN: ReadonlySet<KubeErrorCode> = new Set(['network', 'timeout', 'server', 'unavailable', 'malformed', 'aborted']);

const isAnswerLost = (error: unknown): boolean => error instanceof KubeError && UNCERTAIN.has(error.code);

/** A claim of this name that is there already is the one that an earlier try made; `undefined` when that one is gone again. */
const createOnce = async ({ kube }: Acting, claim: NodeClaim, signal: AbortSignal): Promise<NodeClaim | undefined> => {
  try {
    return await kube.create('NodeClaim', claim, { signal });
  } catch (error) {
    if (error instanceof KubeError && error.code === 'already-exists')
      return kube.get<NodeClaim>('NodeClaim', { name: claim.metadata.name }, { signal });
    throw error;
  }
};

/** Waits until the cache has got as far as the claim that was made, tells of it, and goes by the cache from then on. */
export const settleMade = async (
  expecting: Expecting,
  made: NodeClaim,
  { news, signal }: Pick<ExpectedClaim, 'news'> & { signal: AbortSignal },
): Promise<void> => {
  const { caches, state, reporter } = expecting;
  const { name, resourceVersion } = made.metadata;
  if (resourceVersion !== undefined) await caches.nodeClaims.waitFor(resourceVersion, signal);
  reporter.report({ ...news, claim: made });
  state.expected.settle(name);
};

/**
 * Asks for a claim that state is told to expect, and returns when the cache shows it, or when the answer was lost: then it is still expected.
 * Errors: those of a request that was certainly not done; the claim is expected no more.
 */
export const createExpected = async (
  expecting: Expecting,
  { claim, news }: Pick<ExpectedClaim, 'claim' | 'news'>,
  signal: AbortSignal,
): Promise<NodeClaim> => {
  const { expected } = expecting.state;
  const { name } = claim.metadata;
  expected.expect(claim, news);
  let made: NodeClaim | undefined;
  try {
    made = await createOnce(expecting, claim, signal);
  } catch (error) {
    if (!isAnswerLost(error)) {
      expected.settle(name);
      throw error;
    }
    expected.answerLost(name);
    if (signal.aborted) throw error;
    expecting.reporter.report({ kind: 'node-claim-unanswered', claim, error });
    return claim;
  }
  if (made === undefined) expected.settle(name);
  else await settleMade(expecting, made, { news, signal });
  return made ?? claim;
};
