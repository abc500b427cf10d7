import { type PipelinePolicy, RestError } from '@azure/core-rest-pipeline';

interface Refusal {
  readonly code: string;
  readonly message: string;
}

/** ARM puts code and message under `error`; some resource providers do not. */
const refusalIn = (text: string | null | undefined): Refusal | undefined => {
  try {
    const body = JSON.parse(text ?? '') as { readonly error?: unknown } | null;
    const { code, message } = (body?.error ?? body ?? {}) as Partial<Refusal>;
    return typeof code === 'string' && typeof message === 'string' ? { code, message } : undefined;
  } catch {
    return undefined;
  }
};

/**
 * Throws what Azure refused in Azure's own words while they are at hand: where a list is refused the SDK says only that paging failed, and
 * which role is missing is lost. Stands outside of retries.
 */
export const refusalPolicy = (): PipelinePolicy => ({
  name: 'karpenterRefusalPolicy',
  async sendRequest(request, next) {
    const response = await next(request);
    const refusal = response.status < 400 ? undefined : refusalIn(response.bodyAsText);
    if (refusal === undefined) return response;
    throw new RestError(refusal.message, { code: refusal.code, statusCode: response.status, request, response });
  },
});
