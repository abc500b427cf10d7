import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FaultEffect } from '../door/faults.ts';
import { ApiError } from '../status/api-error.ts';
import { selectionOf } from '../verbs/selection.ts';
import { requestedVersion } from '../verbs/read.ts';
import { badRequest } from '../status/refusals.ts';
import type { ApiRequest } from './api-request.ts';
import { readBody, verbOf } from './api-request.ts';
import type { DocumentServer } from './document-handler.ts';
import type { Reply } from './reply.ts';
import { refusal, send } from './reply.ts';
import { formOf } from './representation.ts';
import type { HandlerTools } from './resource-handler.ts';
import { handleResource } from './resource-handler.ts';
import type { Route } from './route.ts';
import { routeOf } from './route.ts';
import { handleSubresource } from './subresource-handler.ts';
import type { WatchRequest, WatchTools } from './watch-stream.ts';
import { serveWatch } from './watch-stream.ts';

/** What a listener answers from. */
export interface ListenerTools extends HandlerTools, WatchTools {
  readonly documents: DocumentServer;
}

/** Answers every HTTP request of a server. */
export const createListener =
  (tools: ListenerTools) =>
  (message: IncomingMessage, response: ServerResponse): void => {
    answer(tools, message, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else send(response, refusal(asApiError(error)), []);
    });
  };

const asApiError = (error: unknown): ApiError => {
  if (error instanceof ApiError) return error;
  const text = error instanceof Error ? error.message : String(error);
  return new ApiError('InternalError', `Internal error occurred: ${text}`, {
    causes: [{ reason: 'UnexpectedServerResponse', message: text }],
  });
};

const answer = async (tools: ListenerTools, message: IncomingMessage, response: ServerResponse): Promise<void> => {
  const url = new URL(message.url ?? '/', 'http://localhost');
  const method = message.method ?? 'GET';
  const route = routeOf(tools.engine.registry, url.pathname);
  if (route === undefined) {
    const body = method === 'POST' ? await readBody(message) : undefined;
    send(response, tools.documents.serve({ path: url.pathname, method, accept: message.headers.accept ?? '', body }), []);
    return;
  }
  const verb = verbOf(method, route, url.searchParams);
  if (verb === undefined) throw new ApiError('MethodNotAllowed', 'the server does not allow this method on the requested resource');
  const request: ApiRequest = {
    verb,
    route,
    query: url.searchParams,
    accept: message.headers.accept ?? '*/*',
    contentType: message.headers['content-type'] ?? '',
    body: await readBody(message),
    userAgent: message.headers['user-agent'] ?? '',
  };
  for (const effect of tools.faults.effectsOn(verb, route.resource.kind)) {
    if (!(await suffer(tools, effect, response))) return;
  }
  if (verb === 'watch') serveWatch(response, watchRequestOf(tools, request), tools);
  else respond(tools, request, response);
};

const respond = (tools: ListenerTools, request: ApiRequest, response: ServerResponse): void => {
  const warnings: string[] = [];
  const { warning } = request.route.resource;
  if (warning !== undefined) warnings.push(warning);
  const warn = (text: string): void => void warnings.push(text);
  const handle = request.route.subresource === undefined ? handleResource : handleSubresource;
  send(
    response,
    attempt(() => handle(tools, request, warn)),
    warnings,
  );
};

const attempt = (handle: () => Reply): Reply => {
  try {
    return handle();
  } catch (error) {
    if (error instanceof ApiError) return refusal(error);
    throw error;
  }
};

const REFUSALS = { 409: 'Conflict', 429: 'TooManyRequests', 500: 'InternalError', 503: 'ServiceUnavailable', 504: 'Timeout' } as const;

/** Plays a fault out; false when it has answered the request. */
const suffer = async ({ engine }: ListenerTools, effect: FaultEffect, response: ServerResponse): Promise<boolean> => {
  switch (effect.kind) {
    case 'latency':
      await engine.clock.sleep(effect.ms);
      return true;
    case 'reset':
      response.destroy();
      return false;
    case 'refuse': {
      const details = effect.retryAfterSeconds === undefined ? undefined : { retryAfterSeconds: effect.retryAfterSeconds };
      send(response, refusal(new ApiError(REFUSALS[effect.code], `injected fault: ${effect.code}`, details)), []);
      return false;
    }
  }
};

const watchRequestOf = ({ engine }: ListenerTools, { route, query, accept }: ApiRequest): WatchRequest => {
  const sendInitialEvents = query.get('sendInitialEvents');
  const resourceVersion = query.get('resourceVersion') ?? '';
  if (sendInitialEvents !== null && query.get('resourceVersionMatch') !== 'NotOlderThan') {
    throw new ApiError(
      'Invalid',
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is required when sendInitialEvents is set',
    );
  }
  if (sendInitialEvents === null && query.get('resourceVersionMatch') !== null)
    throw badRequest('resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided');
  if (sendInitialEvents === 'true') requestedVersion(engine, { resourceVersion, match: undefined });
  return {
    resource: route.resource,
    selection: selectionOf(route.resource, {
      namespace: route.namespace,
      labelSelector: query.get('labelSelector') ?? '',
      fieldSelector: fieldSelectorOf(route, query),
    }),
    form: formOf(accept),
    includeObject: query.get('includeObject') ?? 'Metadata',
    resourceVersion,
    bookmarks: query.get('allowWatchBookmarks') === 'true',
    sendInitialEvents: sendInitialEvents === null ? undefined : sendInitialEvents === 'true',
    timeoutMs: Number(query.get('timeoutSeconds') ?? 0) * 1000,
  };
};

/** A watch of one named object is a watch of its name. */
const fieldSelectorOf = ({ name }: Route, query: URLSearchParams): string =>
  [query.get('fieldSelector') ?? '', ...(name === undefined ? [] : [`metadata.name=${name}`])].filter((part) => part !== '').join(',');
