import type { NodeImageVersion } from '../../images/index.ts';
import { AKS_API_VERSION } from '../aks-api-version.ts';
import type { CallContext } from './call-context.ts';
import { jsonCalls } from './json-calls.ts';
import { objectOf, textsIn } from './shape.ts';

const imageIn = (item: unknown): NodeImageVersion | undefined => {
  const { os, sku, version } = textsIn(item);
  return os === undefined || sku === undefined || version === undefined ? undefined : { os, sku, version };
};

type Source = Pick<CallContext, 'clients' | 'scope' | 'readAll'>;

/** Throws `RestError`, and `ArmError` for what is no JSON. */
export const fetchNodeImages = async ({ clients, scope, readAll }: Source, signal: AbortSignal): Promise<readonly NodeImageVersion[]> => {
  const { subscriptionId, location } = scope;
  const path = `/subscriptions/${subscriptionId}/providers/Microsoft.ContainerService/locations/${location}/nodeImageVersions`;
  const images: NodeImageVersion[] = [];
  const send = jsonCalls(clients);
  for (let url: string | undefined = `${clients.endpoint}${path}?api-version=${AKS_API_VERSION}`; url !== undefined;) {
    const { value, nextLink } = objectOf(await send({ method: 'GET', url }, signal));
    images.push(...readAll('versions of node images', value, imageIn));
    url = typeof nextLink === 'string' ? nextLink : undefined;
  }
  return images;
};
