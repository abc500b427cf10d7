import type { PipelinePolicy, PipelineRequest } from '@azure/core-rest-pipeline';
import type { ApiVersions } from '../api-versions/api-versions.ts';
import { resourceTypeOf } from '../api-versions/resource-type.ts';
import { textsIn } from '../calls/shape.ts';
import { refusalBodyIn } from '../error-codes/inner-refusals.ts';

const PARAMETER = /([?&]api(?:-|%2D)version=)([^&]*)/i;
const OFFERED = /supported api-versions are '([^']*)'/i;

const ownVersionOf = ({ url }: PipelineRequest): string | undefined => PARAMETER.exec(url)?.[2];

/** The versions that a refused call could have had; none where it was refused for something else. */
const offeredIn = (text: string | null | undefined): readonly string[] => {
  const { code, message = '' } = textsIn(refusalBodyIn(text));
  if (code !== 'NoRegisteredProviderFound') return [];
  return (OFFERED.exec(message)?.[1] ?? '')
    .split(',')
    .map((version) => version.trim())
    .filter((version) => version !== '');
};

/**
 * Sends each call at the version that is to be used for its resource type. A call that is refused because its version
 * is not registered is sent once more, at the nearest version that the refusal lists. A subscription answers so for a
 * while when Azure brings out a new version (Azure/azure-cli#28368 and #28496).
 */
export const apiVersionPolicy = (versions: ApiVersions): PipelinePolicy => ({
  name: 'karpenterApiVersionPolicy',
  async sendRequest(request, next) {
    const type = resourceTypeOf(request.method, request.url);
    const own = ownVersionOf(request);
    if (type === undefined || own === undefined) return next(request);
    const send = () => {
      request.url = request.url.replace(PARAMETER, (_, name: string) => `${name}${versions.versionFor(type, own)}`);
      return next(request);
    };
    const response = await send();
    const offered = response.status === 400 ? offeredIn(response.bodyAsText) : [];
    if (offered.length === 0) return response;
    versions.learn(type, offered);
    return send();
  },
});
