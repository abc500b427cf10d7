import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { errorMessage } from '@karpenter/runtime';
import type { FaultEffect } from '../public/faults.ts';
import { isReview } from '../access/reviews.ts';
import { ApiError } from '../status/api-error.ts';
import { failure, methodNotAllowed, notANumber } from '../status/refusals.ts';
import { listOptionsOf } from '../verbs/list-options.ts';
import { type ApiRequest, readBody, verbOf } from './api-request.ts';
import { type DocumentServer, hasOwnRules } from './document-handler.ts';
import { refusalReply, type Reply, send } from './reply.ts';
import { watchedFormOf } from './representation.ts';
import { type HandlerTools, selectionIn } from './handler-tools.ts';
import { handleResource } from './resource-handler.ts';
import { routeOf } from './route.ts';
import { handleSubresource } from './subresource-handler.ts';
import { serveWatch, type WatchRequest, type WatchTools } from './watch-stream.ts';

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
      else send(response, refusalReply(asApiError(error)), []);
    });
  };

const asApiError = (error: unknown): ApiError => {
  if (error instanceof ApiError) return error;
  const text = errorMessage(error);
  return new ApiError('InternalError', `Internal error occurred: ${text}`, {
    causes: [{ reason: 'UnexpectedServerResponse', message: text }],
  });
};

const answer = async (tools: ListenerTools, message: IncomingMessage, response: ServerResponse): Promise<void> => {
  const url = new URL(message.url ?? '/', 'http://localhost');
  const { method = 'GET', headers } = message;
  const { accept = '*/*' } = headers;
  const user = tools.gate.userOf(headers);
  const route = routeOf(tools.engine.registry, url.pathname);
  const body = route !== undefined || isReview(url.pathname) ? await readBody(message) : undefined;
  if (route === undefined) {
    if (!hasOwnRules(tools.engine.registry, url.pathname)) tools.gate.passPath(user, method.toLowerCase(), url.pathname);
    const labelSelector = url.searchParams.get('labelSelector') ?? '';
    send(response, tools.documents.serve({ path: url.pathname, method, accept, body, user, labelSelector }), []);
    return;
  }
  const verb = verbOf(method, route, url.searchParams);
  if (verb === undefined) throw methodNotAllowed();
  const request = { verb, route, query: url.searchParams, accept, body, user, ...clientOf(headers) };
  tools.gate.passRequest(user, request);
  await perform(tools, request, response);
};

const clientOf = (headers: IncomingHttpHeaders): Pick<ApiRequest, 'contentType' | 'userAgent'> => ({
  contentType: headers['content-type'] ?? '',
  userAgent: headers['user-agent'] ?? '',
});

const perform = async (tools: ListenerTools, request: ApiRequest, response: ServerResponse): Promise<void> => {
  const effects = tools.faults.effectsOn(request.verb, request.route.resource.kind);
  for (const effect of effects.filter((each) => !losesAnswer(each))) {
    if (!(await suffer(tools, effect, response))) return;
  }
  if (request.verb === 'watch') serveWatch(response, watchRequestOf(request), tools);
  else {
    const { reply, warnings } = replyTo(tools, request);
    if (effects.some(losesAnswer)) response.destroy();
    else send(response, reply, warnings);
  }
};

const losesAnswer = (effect: FaultEffect): boolean => effect.kind === 'reset' && effect.when === 'after';

const replyTo = (tools: ListenerTools, request: ApiRequest): { readonly reply: Reply; readonly warnings: readonly string[] } => {
  const warnings: string[] = [];
  const { warning } = request.route.resource;
  if (warning !== undefined) warnings.push(warning);
  const warn = (text: string): void => void warnings.push(text);
  const handle = request.route.subresource === undefined ? handleResource : handleSubresource;
  return { reply: attempt(() => handle(tools, request, warn)), warnings };
};

const attempt = (handle: () => Reply): Reply => {
  try {
    return handle();
  } catch (error) {
    if (error instanceof ApiError) return refusalReply(error);
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
      send(response, refusalReply(new ApiError(REFUSALS[effect.code], `injected fault: ${effect.code}`, details)), []);
      return false;
    }
  }
};

const watchRequestOf = (request: ApiRequest): WatchRequest => {
  const { route, query, accept } = request;
  const textOf = (name: string): string => query.get(name) ?? '';
  const { resourceVersion, sendInitialEvents, timeoutSeconds } = listOptionsOf(query, 'watch');
  if (!/^\d*$/.test(resourceVersion))
    throw failure(`resourceVersion: Invalid value: ${JSON.stringify(resourceVersion)}: ${notANumber(resourceVersion, 'ParseUint')}`);
  return {
    resource: route.resource,
    selection: selectionIn(request),
    form: watchedFormOf(accept, route.resource),
    includeObject: textOf('includeObject') || 'Metadata',
    resourceVersion,
    bookmarks: textOf('allowWatchBookmarks') === 'true',
    sendInitialEvents,
    timeoutMs: timeoutSeconds * 1000,
  };
};
