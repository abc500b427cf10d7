import type { ObjectKey } from '../../objects/object-key.ts';
import type { ResourceKind } from '../../objects/resource-kind.ts';
import { classifyResponse, isOtherObject } from '../classify.ts';
import type { KubeCallOptions } from '../call-options.ts';
import type { Eviction, EvictOptions } from './kube-client.ts';
import type { KubeError } from '../kube-error.ts';
import { objectPath } from './resource-path.ts';
import type { Transport, TransportResponse } from '../transport/transport.ts';

const PODS: ResourceKind = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };

interface Binding extends KubeCallOptions {
  readonly pod: ObjectKey;
  readonly nodeName: string;
}

/** Posts a binding. A pod that has a node already is a `conflict`. */
export const bindPod = async (transport: Transport, { pod, nodeName, signal }: Binding): Promise<'bound' | 'gone'> => {
  const body = { apiVersion: 'v1', kind: 'Binding', metadata: pod, target: { apiVersion: 'v1', kind: 'Node', name: nodeName } };
  const answer = await transport.send({ method: 'POST', path: `${objectPath(PODS, pod)}/binding`, operation: 'bind Pod', body, signal });
  if (answer.status === 404) return 'gone';
  if (answer.status >= 300) throw classifyResponse(answer);
  return 'bound';
};

/**
 * A 429 of a disruption budget names it as a cause; one of the server's own flow control does not. A 500 that names
 * more than one budget is how the API server refuses a pod that two budgets select.
 */
const refusalOf = (failure: KubeError): Eviction | undefined => {
  const isBudget = failure.causes.some((cause) => cause.reason === 'DisruptionBudget');
  if (failure.code === 'too-many-requests' && isBudget)
    return { blocked: failure.causes.find((c) => c.message !== '')?.message ?? failure.message, status: 429 };
  if (/more than one PodDisruptionBudget/i.test(failure.message)) return { blocked: failure.message, status: 500 };
  return undefined;
};

/**
 * The refusal of a pod that two budgets select is a Status handed on as the result; clients in Go judge it by its body,
 * whatever the HTTP status.
 */
const saysFailure = ({ body }: TransportResponse): boolean =>
  typeof body === 'object' && body !== null && 'status' in body && body.status === 'Failure';

/** Posts an eviction. A blocked one is not repeated here: the caller decides when to ask again. */
export const evictPod = async (
  transport: Transport,
  pod: ObjectKey,
  { uid, gracePeriodSeconds, signal }: EvictOptions,
): Promise<Eviction> => {
  const preconditions = uid === undefined ? undefined : { uid };
  const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: pod, deleteOptions: { gracePeriodSeconds, preconditions } };
  const path = `${objectPath(PODS, pod)}/eviction`;
  const answer = await transport.send({ method: 'POST', path, operation: 'evict Pod', body, signal, retry: false });
  if (answer.status === 404 || (uid !== undefined && isOtherObject(answer))) return 'gone';
  if (answer.status < 300 && !saysFailure(answer)) return 'evicted';
  const failure = classifyResponse(answer);
  const refusal = refusalOf(failure);
  if (refusal === undefined) throw failure;
  return refusal;
};
