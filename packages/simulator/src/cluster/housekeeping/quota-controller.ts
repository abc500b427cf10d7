import { type ApiObject, type KindRef, quotaStatusOf, type StoredObject } from '@karpenter/api-server';
import { parseKey } from '@karpenter/runtime';
import { type StartController, together } from '../control/control-deps.ts';
import { createWorkLoop } from '../control/work-loop.ts';
import { objectKeyText } from '../objects/object-key.ts';

const quotas: KindRef<ApiObject> = { kind: 'ResourceQuota', apiVersion: 'v1' };

/** Keeps the status of resource quotas current: once a turn of the clock for each of a namespace in which something changed. */
export const startQuotaController: StartController = ({ api, clock }) => {
  const loop = createWorkLoop(clock, (key) => {
    const quota = api.get(quotas, parseKey(key));
    if (quota === undefined) return undefined;
    const { namespace } = quota.metadata;
    const status = quotaStatusOf(quota, (resource) => {
      const kind = api.kinds().find((served) => served.resource === resource);
      return kind === undefined ? [] : (api.list(kind, { namespace }) as unknown as readonly StoredObject[]);
    });
    api.updateStatus<ApiObject & { readonly status: object }>({ ...quota, status });
    return undefined;
  });
  const recount = (namespace: string): void => {
    for (const quota of api.list(quotas, { namespace })) loop.add(objectKeyText(quota));
  };
  for (const quota of api.list(quotas)) loop.add(objectKeyText(quota));
  const watch = api.watchAll(({ object: { metadata } }) => {
    if (metadata.namespace !== undefined) recount(metadata.namespace);
  });
  return together(watch, loop);
};
