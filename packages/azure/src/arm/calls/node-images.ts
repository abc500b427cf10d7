import type { NodeImageVersion } from '../../images/index.ts';
import { AKS_API_VERSION } from '../aks-api-version.ts';
import type { ArmClients } from '../arm-clients.ts';
import type { ArmScope } from './call-context.ts';
import { jsonCalls } from './json-calls.ts';

interface Page {
  readonly value?: readonly Partial<NodeImageVersion>[];
  readonly nextLink?: string;
}

/** Throws `RestError`. */
export const fetchNodeImages = async (clients: ArmClients, scope: ArmScope, signal: AbortSignal): Promise<readonly NodeImageVersion[]> => {
  const { subscriptionId, location } = scope;
  const path = `/subscriptions/${subscriptionId}/providers/Microsoft.ContainerService/locations/${location}/nodeImageVersions`;
  const images: NodeImageVersion[] = [];
  const send = jsonCalls(clients);
  for (let url: string | undefined = `${clients.endpoint}${path}?api-version=${AKS_API_VERSION}`; url !== undefined;) {
    const page: Page = await send<Page>({ method: 'GET', url }, signal);
    images.push(...(page.value ?? []).map(({ os = '', sku = '', version = '' }) => ({ os, sku, version })));
    url = page.nextLink;
  }
  return images;
};
