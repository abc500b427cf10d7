import { type PipelinePolicy, RestError } from '@azure/core-rest-pipeline';
import { textsIn } from '../calls/shape.ts';
import { refusalBodyIn } from '../error-codes/inner-refusals.ts';

/**
 * Throws a refusal with Azure's own message. If a list is refused, the SDK's error says only that paging failed, and
 * the missing role is lost. Stands outside of retries.
 */
export const refusalPolicy = (): PipelinePolicy => ({
  name: 'karpenterRefusalPolicy',
  async sendRequest(request, next) {
    const response = await next(request);
    const { code, message } = response.status < 400 ? {} : textsIn(refusalBodyIn(response.bodyAsText));
    if (code === undefined || message === undefined) return response;
    throw new RestError(message, { code, statusCode: response.status, request, response });
  },
});
