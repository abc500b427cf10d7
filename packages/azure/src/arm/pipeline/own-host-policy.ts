import type { PipelinePolicy } from '@azure/core-rest-pipeline';
import { ArmError } from '../arm-error.ts';

/** Throws `server` for a URL that is not at Resource Manager: requests carry the controller's token. */
export const assertOwnHost = (url: string, endpoint: string): void => {
  if (URL.canParse(url) && new URL(url).origin === new URL(endpoint).origin) return;
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
