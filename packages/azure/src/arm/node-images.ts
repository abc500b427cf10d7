import { createDefaultHttpClient, createPipelineRequest } from '@azure/core-rest-pipeline';
import type { NodeImageVersion } from '../images/index.ts';
import type { ArmClients } from './arm-clients.ts';
import { ArmError } from './arm-error.ts';
import type { ArmScope } from './call-context.ts';

interface Page {
  readonly value?: readonly Partial<NodeImageVersion>[];
  readonly nextLink?: string;
}

const API_VERSION = '2025-08-02-preview';

/** Throws `ArmError`. The SDK has no such call: the service has it in previews only. */
export const fetchNodeImages = async (clients: ArmClients, scope: ArmScope, signal: AbortSignal): Promise<readonly NodeImageVersion[]> => {
  const { subscriptionId, location } = scope;
  const path = `/subscriptions/${subscriptionId}/providers/Microsoft.ContainerService/locations/${location}/nodeImageVersions`;
  const images: NodeImageVersion[] = [];
  const http = createDefaultHttpClient();
  for (let url: string | undefined = `${clients.endpoint}${path}?api-version=${API_VERSION}`; url !== undefined;) {
    const { status, bodyAsText } = await clients.compute.pipeline.sendRequest(http, createPipelineRequest({ url, abortSignal: signal }));
    if (status !== 200)
      throw new ArmError(`AKS does not list its node images: ${bodyAsText ?? ''}`, { code: 'server', status, cause: bodyAsText });
    const page = JSON.parse(bodyAsText ?? '{}') as Page;
    images.push(...(page.value ?? []).map(({ os = '', sku = '', version = '' }) => ({ os, sku, version })));
    url = page.nextLink;
  }
  return images;
};
