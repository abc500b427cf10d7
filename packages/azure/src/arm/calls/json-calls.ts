import {
  createDefaultHttpClient,
  createHttpHeaders,
  createPipelineRequest,
  type PipelineRequest,
  RestError,
} from '@azure/core-rest-pipeline';
import type { ArmClients } from '../arm-clients.ts';

/** A call that the SDK does not have: the service has it in previews only. */
export interface JsonCall {
  readonly method: 'GET' | 'PUT' | 'POST';
  readonly url: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a call and reads its answer. What is refused is a `RestError`. */
export type JsonCalls = <T>(call: JsonCall, signal: AbortSignal) => Promise<T>;

const requestOf = ({ method, url, body, headers = {} }: JsonCall, abortSignal: AbortSignal): PipelineRequest =>
  createPipelineRequest({
    ...{ method, url, abortSignal },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    headers: createHttpHeaders({ ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) }),
  });

/** Calls down the pipeline of the SDK's clients: the same token, throttle, retries and classes of failures. */
export const jsonCalls = ({ compute }: Pick<ArmClients, 'compute'>): JsonCalls => {
  const http = createDefaultHttpClient();
  return async <T>(call: JsonCall, signal: AbortSignal): Promise<T> => {
    const response = await compute.pipeline.sendRequest(http, requestOf(call, signal));
    const { status, request } = response;
    const text = response.bodyAsText ?? '';
    if (status >= 400) throw new RestError(text, { statusCode: status, request, response });
    return JSON.parse(text === '' ? '{}' : text) as T;
  };
};
