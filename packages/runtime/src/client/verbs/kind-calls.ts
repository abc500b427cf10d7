import type { KubeObject } from '../../objects/kube-object.ts';
import { apiVersionOf, type KindTable, type ResourceKind } from '../../objects/resource-kind.ts';
import { classifyResponse } from '../classify.ts';
import { KubeError } from '../kube-error.ts';
import type { Transport, TransportResponse } from '../transport/transport.ts';

/** What the verbs share: a transport and what is known of the kinds. */
export interface KindCalls {
  readonly transport: Transport;
  /** A kind that the table does not hold is a bug of the caller. */
  readonly kindOf: (name: string) => ResourceKind;
}

/** Calls by kind name over `transport`. */
export const kindCalls = (transport: Transport, kinds: KindTable): KindCalls => ({
  transport,
  kindOf: (name) => {
    const kind = kinds.get(name);
    if (kind === undefined) throw new TypeError(`the client's kind table does not hold ${JSON.stringify(name)}`);
    return kind;
  },
});

/** The body of an answer that is no error; throws the KubeError of one that is, and `malformed` for the page of a proxy. */
export const acceptedBody = (response: TransportResponse): object => {
  const { status, body } = response;
  if (status >= 300) throw classifyResponse(response);
  if (typeof body === 'object' && body !== null) return body;
  throw new KubeError('the answer is no Kubernetes object', { code: 'malformed', status, cause: body });
};

/** The body, or `undefined` when the server did not find the object. */
export const foundBody = (response: TransportResponse): unknown => (response.status === 404 ? undefined : acceptedBody(response));

/** Items of a list carry no apiVersion and kind of their own; an object should be the same whether it was listed or read. */
export const withTypes = (kind: ResourceKind, items: readonly KubeObject[]): readonly KubeObject[] => {
  const types = { apiVersion: apiVersionOf(kind), kind: kind.kind };
  for (const item of items) Object.assign(item, types);
  return items;
};
