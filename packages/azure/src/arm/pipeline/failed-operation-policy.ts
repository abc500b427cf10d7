import type { PipelinePolicy } from '@azure/core-rest-pipeline';
import { ArmError } from '../arm-error.ts';
import { innerRefusalsOf } from '../error-codes/inner-refusals.ts';

interface OperationBody {
  readonly status?: unknown;
  readonly error?: { readonly code?: unknown; readonly message?: unknown };
}

const operationIn = (text: string | null | undefined): OperationBody | undefined => {
  if (!text?.includes('"status"')) return undefined;
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? parsed : undefined;
  } catch {
    return undefined;
  }
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * Throws the error of a long-running operation that failed while its body is at hand. The SDK's poller would make one
 * text of it and drop the code, and the code decides what is tried next.
 */
export const failedOperationPolicy = (): PipelinePolicy => ({
  name: 'karpenterFailedOperationPolicy',
  async sendRequest(request, next) {
    const response = await next(request);
    if (request.method !== 'GET' || response.status >= 300) return response;
    const operation = operationIn(response.bodyAsText);
    if (operation?.status !== 'Failed' && operation?.status !== 'Canceled') return response;
    const armCode = textOf(operation.error?.code) || operation.status;
    throw new ArmError(`${armCode}: ${textOf(operation.error?.message)}`, {
      code: 'refused',
      armCode,
      status: response.status,
      inner: innerRefusalsOf(operation.error),
      cause: operation,
    });
  },
});
