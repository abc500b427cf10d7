import { KubeError } from '@karpenter/runtime';
import type { KubeErrorCode } from '@karpenter/runtime';
import type { NodeClaim } from '../apis/index.ts';
import { unreachable } from '../base/index.ts';
import type { DecisionReporter } from '../ports/index.ts';
import type { ClusterState, ExpectedClaim } from '../state/index.ts';
import type { Acting } from './write-through.ts';

export interface Expecting extends Acting {
  readonly state: Pick<ClusterState, 'expected'>;
  readonly reporter: DecisionReporter;
}

/** After these errors nobody knows whether the write was done. */
const UNCERTAIN: ReadonlySet<KubeErrorCode> = new Set(['network', 'timeout', 'server', 'unavailable', 'malformed', 'aborted']);

type Answer =
  | { readonly kind: 'made'; readonly made: NodeClaim }
  /** An earlier try made it, and it is gone again. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'lost'; readonly error: KubeError };

/** The claim that an earlier try made. */
const readMade = async ({ kube }: Acting, { metadata: { name } }: NodeClaim, signal: AbortSignal): Promise<Answer> => {
  try {
    const made = await kube.get<NodeClaim>('NodeClaim', { name }, { signal });
    return made === undefined ? { kind: 'gone' } : { kind: 'made', made };
  } catch (error) {
    if (error instanceof KubeError) return { kind: 'lost', error };
    throw error;
  }
};

/** Errors: those of a request that was certainly not done. */
const ask = async (acting: Acting, claim: NodeClaim, signal: AbortSignal): Promise<Answer> => {
  try {
    return { kind: 'made', made: await acting.kube.create('NodeClaim', claim, { signal }) };
  } catch (error) {
    if (error instanceof KubeError && error.code === 'already-exists') return readMade(acting, claim, signal);
    if (error instanceof KubeError && UNCERTAIN.has(error.code)) return { kind: 'lost', error };
    throw error;
  }
};

/** Waits until the cache shows the claim that was created, reports it, and lets state go by the cache from then on. */
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
 * Creates a claim that state expects from now on. Returns when the cache shows it, or when the answer was lost: then it
 * is still expected. Errors: those of a request that certainly failed; the claim is no longer expected, unless an
 * earlier request for it was not answered.
 */
export const createExpected = async (
  expecting: Expecting,
  { claim, news }: Pick<ExpectedClaim, 'claim' | 'news'>,
  signal: AbortSignal,
): Promise<NodeClaim> => {
  const { expected } = expecting.state;
  const { name } = claim.metadata;
  expected.expect(claim, news);
  const answer = await ask(expecting, claim, signal).catch((error: unknown) => {
    expected.refused(name);
    throw error;
  });
  switch (answer.kind) {
    case 'made':
      await settleMade(expecting, answer.made, { news, signal });
      return answer.made;
    case 'gone':
      expected.settle(name);
      return claim;
    case 'lost':
      expected.answerLost(name);
      if (signal.aborted) throw answer.error;
      expecting.reporter.report({ kind: 'node-claim-unanswered', claim, error: answer.error });
      return claim;
    default:
      return unreachable(answer);
  }
};
