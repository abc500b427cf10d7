import type { NodeImageVersion } from '../../images/index.ts';
import { AKS_API_VERSION } from '../api-versions/api-versions.ts';
import type { CallContext } from './call-context.ts';
import { jsonCalls } from './json-calls.ts';
import { pageIn, textsIn } from './shape.ts';
import { itemsOfPages, pagesOf } from './pages-of.ts';

const imageIn = (item: unknown): NodeImageVersion | undefined => {
  const { os, sku, version } = textsIn(item);
  return os === undefined || sku === undefined || version === undefined ? undefined : { os, sku, version };
};

type Source = Pick<CallContext, 'clients' | 'scope' | 'readAll'>;

/** Throws `RestError`, and `ArmError` if the answer is not JSON. */
export const fetchNodeImages = async ({ clients, scope, readAll }: Source, signal: AbortSignal): Promise<readonly NodeImageVersion[]> => {
  const { subscriptionId, location } = scope;
  const path = `/subscriptions/${subscriptionId}/providers/Microsoft.ContainerService/locations/${location}/nodeImageVersions`;
  const send = jsonCalls(clients);
  const first = `${clients.endpoint}${path}?api-version=${AKS_API_VERSION}`;
  const ask = async (url: string) => pageIn(await send({ method: 'GET', url }, signal));
  const pages = pagesOf({ source: 'the list of node images', first, ask });
  return itemsOfPages(pages, ({ items }) => readAll('versions of node images', items, imageIn));
};
