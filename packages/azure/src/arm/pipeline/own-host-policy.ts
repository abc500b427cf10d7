import type { PipelinePolicy } from '@azure/core-rest-pipeline';
import { ArmError } from '../arm-error.ts';

/** Whether the URL is at Resource Manager: at its endpoint, or at that of a region (`eastus.management.azure.com`). */
const isOwn = (url: string, endpoint: string): boolean => {
  if (!URL.canParse(url)) return false;
  const [there, own] = [new URL(url), new URL(endpoint)];
  const isRegional = there.hostname.endsWith(`.${own.hostname}`);
  return there.protocol === own.protocol && there.port === own.port && (there.hostname === own.hostname || isRegional);
};

/** Throws `server` for a URL that is not at Resource Manager: requests carry the controller's token. */
export const assertOwnHost = (url: string, endpoint: string): void => {
  if (isOwn(url, endpoint)) return;
  throw new ArmError(`an answer links to ${JSON.stringify(url)}, which is not at ${endpoint}`, { code: 'server', cause: undefined });
};

/** Sends nothing to another host: the SDK follows the links of pages and of long-running operations wherever they lead. */
export const ownHostPolicy = (endpoint: string): PipelinePolicy => ({
  name: 'karpenterOwnHostPolicy',
  async sendRequest(request, next) {
    assertOwnHost(request.url, endpoint);
    return next(request);
  },
});
