import {
  createDefaultHttpClient,
  createHttpHeaders,
  createPipelineRequest,
  type PipelineRequest,
  RestError,
} from '@azure/core-rest-pipeline';
import type { ArmClients } from '../arm-clients.ts';
import { ArmError } from '../arm-error.ts';
import { assertOwnHost } from '../pipeline/own-host-policy.ts';

/** A call that the SDK does not have: the service has it in previews only. */
export interface JsonCall {
  readonly method: 'GET' | 'PUT' | 'POST';
  readonly url: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Sends a call and returns its answer, which may be any JSON. Throws `RestError` if Azure refuses it, `ArmError` if the
 * answer is not JSON.
 */
export type JsonCalls = (call: JsonCall, signal: AbortSignal) => Promise<unknown>;

const jsonIn = (text: string, { method, url }: JsonCall): unknown => {
  try {
    return JSON.parse(text === '' ? '{}' : text);
  } catch (cause) {
    throw new ArmError(`${method} ${new URL(url).pathname} is answered with what is no JSON`, { code: 'server', cause });
  }
};

const requestOf = ({ method, url, body, headers = {} }: JsonCall, abortSignal: AbortSignal): PipelineRequest =>
  createPipelineRequest({
    ...{ method, url, abortSignal },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    headers: createHttpHeaders({ ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) }),
  });

/** Calls down the pipeline of the SDK's clients: the same token, throttle, retries and classes of failures. */
export const jsonCalls = ({ compute, endpoint }: Pick<ArmClients, 'compute' | 'endpoint'>): JsonCalls => {
  const http = createDefaultHttpClient();
  return async (call, signal) => {
    assertOwnHost(call.url, endpoint);
    const response = await compute.pipeline.sendRequest(http, requestOf(call, signal));
    const { status, request } = response;
    const text = response.bodyAsText ?? '';
    if (status >= 400) throw new RestError(text, { statusCode: status, request, response });
    return jsonIn(text, call);
  };
};
