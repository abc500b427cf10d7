import { createHash } from 'node:crypto';
import { isAdmissionDenial, KubeError } from '@karpenter/runtime';
import type { KubeErrorCode } from '@karpenter/runtime';
import { TERMINATION_FINALIZER, labels, nodeClassLabel } from '../apis/index.ts';
import type { NodeClaim, NodePool } from '../apis/index.ts';
import type { PlannedNode } from '../scheduling/index.ts';
import { PLANNED_PODS_ANNOTATION, podId } from '../state/index.ts';
import type { ClusterState, ExpectedClaim } from '../state/index.ts';
import { unreachable } from '../base/index.ts';
import type { DecisionReporter } from '../ports/index.ts';
import type { Acting } from './write-through.ts';

/** As Kubernetes names what it generates: no vowels, no digits that look like letters. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX_LENGTH = 8;
/** Short enough that a provider may put up to eight characters before it and still has a hostname (63 characters). */
const MAX_NAME_LENGTH = 55;

/**
 * A claim's name: its pool's, and eight letters that follow from `seed`. It is a DNS label, because clouds make
 * hostnames of it: dots, which the name of a pool may have, become dashes. The same attempt has the same name: a
 * retry after an unanswered request finds the first claim and makes no second.
 */
export const claimName = (nodePoolName: string, seed: string): string => {
  const digest = createHash('sha256').update(nodePoolName).update('\n').update(seed).digest();
  const suffix = [...digest.subarray(0, SUFFIX_LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
  const label = nodePoolName.replaceAll('.', '-').slice(0, MAX_NAME_LENGTH - SUFFIX_LENGTH - 1);
  return `${label}-${suffix}`;
};

/** A planned node to create a claim for, and in which attempt. */
export interface PlannedClaim {
  readonly planned: PlannedNode;
  readonly pool: NodePool;
  /** Different for each plan, the same when one plan's writes are repeated. */
  readonly attempt: string;
  /** Position in the plan. */
  readonly index: number;
  /** Further annotations of the claim. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** For a claim whose pool states none. */
  readonly terminationGracePeriod?: string | undefined;
}

/**
 * The NodeClaim for a planned node, ready to be written. Deterministic. Differs: the original adds the finalizer by a
 * request of its own.
 */
export const claimOfPlanned = ({ planned, pool, attempt, index, annotations, terminationGracePeriod }: PlannedClaim): NodeClaim => {
  const { name, uid = '' } = pool.metadata;
  const [nodeClassKey, nodeClassName] = nodeClassLabel(planned.claim.spec.nodeClassRef);
  const podIds = planned.pods.map(podId);
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: {
      name: claimName(name, [attempt, index, ...podIds].join(',')),
      generateName: `${name}-`,
      labels: { ...planned.claim.labels, [labels.nodePool]: name, [nodeClassKey]: nodeClassName },
      annotations: { ...planned.claim.annotations, [PLANNED_PODS_ANNOTATION]: podIds.join(','), ...annotations },
      finalizers: [TERMINATION_FINALIZER],
      ownerReferences: [{ apiVersion: 'karpenter.sh/v1', kind: 'NodePool', name, uid, blockOwnerDeletion: true }],
    },
    spec: { ...(terminationGracePeriod === undefined ? {} : { terminationGracePeriod }), ...planned.claim.spec },
  };
};

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

/** Whether the API server refuses the object that it was given: it refuses the same one again. Missing rights are no refusal. */
export const isClaimRefusal = (error: unknown): error is KubeError =>
  isAdmissionDenial(error) || (error instanceof KubeError && error.code === 'invalid');

/** Errors: those of a request that was certainly not done. */
const ask = async (acting: Acting, claim: NodeClaim, signal: AbortSignal): Promise<Answer> => {
  try {
    return { kind: 'made', made: await acting.kube.create('NodeClaim', claim, { signal }) };
  } catch (error) {
    if (isAdmissionDenial(error)) throw error;
    if (error instanceof KubeError && error.code === 'already-exists') return readMade(acting, claim, signal);
    if (error instanceof KubeError && UNCERTAIN.has(error.code)) return { kind: 'lost', error };
    throw error;
  }
};

/** Waits until the cache shows the claim that was created, reports it, and lets state go by the cache from then on. */
export const settleMade = async (
  expecting: Expecting,
  made: NodeClaim,
  { report, signal }: Pick<ExpectedClaim, 'report'> & { signal: AbortSignal },
): Promise<void> => {
  const { caches, state, reporter } = expecting;
  const { name, resourceVersion } = made.metadata;
  if (resourceVersion !== undefined) await caches.nodeClaims.waitFor(resourceVersion, signal);
  reporter.report({ ...report, claim: made });
  state.expected.settle(name);
};

/**
 * Creates a claim that state expects from now on. Returns when the cache shows it, or when the answer was lost: then it
 * is still expected. Errors: those of a request that certainly failed; the claim is no longer expected, unless an
 * earlier request for it was not answered.
 */
export const createExpected = async (
  expecting: Expecting,
  { claim, report }: Pick<ExpectedClaim, 'claim' | 'report'>,
  signal: AbortSignal,
): Promise<NodeClaim> => {
  const { expected } = expecting.state;
  const { name } = claim.metadata;
  expected.expect(claim, report);
  const answer = await ask(expecting, claim, signal).catch((error: unknown) => {
    expected.refused(name);
    throw error;
  });
  switch (answer.kind) {
    case 'made':
      await settleMade(expecting, answer.made, { report, signal });
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
