import type { ApiObject } from '@karpenter/api-server';
import type { EmbeddedCluster } from '@karpenter/simulator';
import { parse } from 'yaml';
import { namespaceOf } from '@karpenter/core/internal';

type Api = Pick<EmbeddedCluster, 'apiUrl' | 'kubeconfig'>;

interface Call {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly subresource?: string;
  readonly query?: string;
  readonly type: string;
  readonly body: object;
}

interface ResourceList {
  readonly resources: readonly { readonly name: string; readonly kind: string; readonly namespaced: boolean }[];
}

const tokenOf = ({ kubeconfig }: Api): string => {
  const { users } = parse(kubeconfig()) as { users: readonly { user: { token: string } }[] };
  return users[0]?.user.token ?? '';
};

const pathOf = async (api: Api, object: ApiObject): Promise<string> => {
  const { apiVersion, kind, metadata } = object;
  const base = `${api.apiUrl}/${apiVersion.includes('/') ? 'apis' : 'api'}/${apiVersion}`;
  const answer = await fetch(base, { headers: { authorization: `Bearer ${tokenOf(api)}` } });
  const resource = answer.ok ? ((await answer.json()) as ResourceList).resources.find((each) => each.kind === kind) : undefined;
  if (resource === undefined) throw new Error(`the API server does not serve ${apiVersion} ${kind}`);
  const scope = resource.namespaced ? `/namespaces/${namespaceOf(object)}` : '';
  return `${base}${scope}/${resource.name}/${metadata.name ?? ''}`;
};

const send = async (api: Api, object: ApiObject, { method, subresource, query = '', type, body }: Call): Promise<void> => {
  const path = [await pathOf(api, object), ...(subresource === undefined ? [] : [subresource])].join('/');
  const answer = await fetch(`${path}${query}`, {
    method,
    headers: { authorization: `Bearer ${tokenOf(api)}`, 'content-type': type },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${object.kind} ${object.metadata.name ?? ''}: ${await answer.text()}`);
};

/**
 * Applies objects over HTTP as `helm upgrade --install` does, in their order, and strictly: a field that the API does
 * not know is refused. Throws what the server says to the first one that it refuses.
 */
export const applyAll = async (api: Api, objects: readonly ApiObject[]): Promise<void> => {
  const query = '?fieldManager=helm&fieldValidation=Strict';
  for (const object of objects) await send(api, object, { method: 'PATCH', query, type: 'application/apply-patch+yaml', body: object });
};

/** Sets annotations of an object by its status. Throws what the server says when it refuses. */
export const annotateByStatus = (api: Api, object: ApiObject, annotations: object): Promise<void> =>
  send(api, object, { method: 'PATCH', subresource: 'status', type: 'application/merge-patch+json', body: { metadata: { annotations } } });

/** Binds a pod to a node, with annotations that the pod takes over. Throws what the server says when it refuses. */
export const annotateByBinding = (
  api: Api,
  pod: ApiObject,
  { node, annotations }: { readonly node: string; readonly annotations: object },
): Promise<void> => {
  const body = { metadata: { name: pod.metadata.name, annotations }, target: { kind: 'Node', name: node } };
  return send(api, pod, { method: 'POST', subresource: 'binding', type: 'application/json', body });
};

/** Deletes an object over HTTP, without grace. Throws what the server says when it refuses. */
export const remove = (api: Api, object: ApiObject): Promise<void> =>
  send(api, object, { method: 'DELETE', type: 'application/json', body: { gracePeriodSeconds: 0 } });
