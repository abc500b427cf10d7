import { nameOf } from '../arm-id.ts';
import { bearerRefusal } from '../auth/bearer-refusal.ts';
import type { TokenService } from '../auth/token-service.ts';
import type { ArmFaults } from '../faults/arm-faults.ts';
import { type ArmRefusal, refusal } from '../faults/arm-error.ts';
import type { ArmFaultEffect, FaultSubject } from '../faults/fault.ts';
import { knownRefusals } from '../faults/known-refusals.ts';
import type { AccessRules } from '../subscription/access-rules.ts';
import { registrationRefusal } from '../subscription/registration.ts';
import { roleActionOf, typeIn } from '../subscription/type-in.ts';
import type { ArmWorld } from '../world.ts';
import { type RateLimiter, requestClassOf } from './rate-limiter.ts';
import { armRefusalReply } from './replies.ts';
import { parseBody } from './request-body.ts';
import type { RequestLog } from './request-log.ts';
import type { ArmReply, ArmRequest, ArmRoute } from './route.ts';
import { type RouteMatch, routeTable } from './route-table.ts';

/** A request as it comes off the wire. */
export interface RawRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What goes back: a reply after a while, or nothing but a reset connection. */
export type ServiceAnswer = { readonly kind: 'reply'; readonly reply: ArmReply; readonly delayMs: number } | { readonly kind: 'reset' };

export interface ServiceParts {
  readonly world: ArmWorld;
  readonly routes: readonly ArmRoute[];
  readonly tokens: TokenService;
  readonly audience: string;
  readonly faults: ArmFaults;
  readonly limiter: RateLimiter;
  /** Resource provider → the api-versions that it is registered with; absent: any. */
  readonly apiVersions: Readonly<Record<string, readonly string[]>>;
  readonly access: AccessRules;
  readonly log: RequestLog;
}

interface Found {
  readonly route: ArmRoute;
  readonly request: ArmRequest;
}

const answer = (reply: ArmReply, delayMs = 0): ServiceAnswer => ({ kind: 'reply', reply, delayMs });

/** Who may do what, and how often, Resource Manager says itself: the service behind it never sees the request. */
const isResourceManagers = ({ status }: ArmRefusal): boolean => [401, 403, 429].includes(status);

/** A fault of one part that ends the whole request. */
const isOfAll = (effect: ArmFaultEffect): boolean =>
  effect.kind === 'reset' || (effect.kind === 'refuse' && isResourceManagers(effect.refusal));

const unknownRoute = (method: string, path: string): ArmRefusal =>
  refusal(404, 'InvalidResourceType', `The resource type could not be found for '${method} ${path}'.`);

/** The resource provider of a path: `Microsoft.Compute`. */
const providerOf = (path: string): string => /\/providers\/([^/]+)/i.exec(path)?.[1] ?? '';

interface Versions {
  /** Resource provider → the api-versions that it is registered with; absent: any. */
  readonly apiVersions: Readonly<Record<string, readonly string[]>>;
  readonly location: string;
}

/** Clients poll the address that they get, at whatever api-version it names. */
const isPoll = ({ operation }: ArmRoute): boolean => operation.startsWith('Operations_');

/** The versions that a request may have; undefined: any. */
const registeredFor = (route: ArmRoute, { path, method }: ArmRequest, { apiVersions }: Versions): readonly string[] | undefined =>
  isPoll(route) || route.unversioned === true ? undefined : apiVersions[typeIn(method, path)?.namespace ?? ''];

const versionRefusal = (route: ArmRoute, request: ArmRequest, versions: Versions): ArmRefusal | undefined => {
  const asked = request.query.get('api-version') ?? '';
  if (route.unversioned !== true && asked === '') {
    return refusal(400, 'MissingApiVersionParameter', 'The api-version query parameter (?api-version=) is required for all requests.');
  }
  const registered = registeredFor(route, request, versions);
  if (registered === undefined || registered.includes(asked)) return undefined;
  const type = request.path.split('/providers/').at(-1)?.split('/')[1] ?? '';
  const message =
    `No registered resource provider found for location '${versions.location}' and API version '${asked}' for type '${type}'. ` +
    `The supported api-versions are '${registered.join(', ')}'. The supported locations are '${versions.location}'.`;
  return refusal(400, 'NoRegisteredProviderFound', message);
};

/** What Compute says of its own limits, by policy. Source: Azure/azure-cli#15765. */
const grantedByCompute = ({ method }: ArmRequest, remaining: number): Readonly<Record<string, string>> => {
  const policy = `Microsoft.Compute/${method.charAt(0)}${method.slice(1).toLowerCase()}VM`;
  return { 'x-ms-ratelimit-remaining-resource': `${policy}3Min;${String(remaining)},${policy}30Min;${String(5 * remaining)}` };
};

/** The service behind the socket: from a raw request to an answer, in the order in which Azure itself checks one. */
export class ArmService {
  readonly #parts: ServiceParts;
  readonly #find: ReturnType<typeof routeTable>;

  constructor(parts: ServiceParts) {
    this.#parts = parts;
    this.#find = routeTable(parts.routes);
  }

  answer(raw: RawRequest): ServiceAnswer {
    const url = new URL(raw.target, this.#parts.world.url);
    const match = this.#find(raw.method, url.pathname);
    const parsed = parseBody(raw.body, raw.headers['content-type'] ?? '');
    const request: ArmRequest = {
      method: raw.method,
      path: decodeURIComponent(url.pathname).replace(/\/$/, ''),
      query: url.searchParams,
      headers: raw.headers,
      body: parsed.kind === 'body' ? parsed.body : undefined,
      params: match.kind === 'route' ? match.params : {},
      effects: [],
      effectsOfParts: [],
    };
    const result = this.#answerMatched(request, match, parsed.kind === 'malformed' ? parsed.reason : undefined);
    const identified = this.#identified(result);
    this.#record(request, match.kind === 'route' ? match.route.operation : 'Unknown', identified);
    return identified;
  }

  #answerMatched(request: ArmRequest, match: RouteMatch, malformed: string | undefined): ServiceAnswer {
    if (match.kind === 'unknown') return answer(armRefusalReply(unknownRoute(request.method, request.path)));
    if (match.kind === 'wrong-method') {
      return answer(
        armRefusalReply(refusal(405, 'MethodNotAllowed', `The requested resource does not support http method '${request.method}'.`)),
      );
    }
    if (malformed !== undefined) {
      return answer(
        armRefusalReply(
          refusal(400, 'InvalidRequestContent', `The request content was invalid and could not be deserialized: '${malformed}'.`),
        ),
      );
    }
    const found = { route: match.route, request };
    return this.#gateReply(found) ?? this.#withFaults(found);
  }

  /** What ARM's front end refuses, before any resource provider sees the request. */
  #gateReply({ route, request }: Found): ServiceAnswer | undefined {
    if (route.anonymous) return undefined;
    const { world, tokens, audience } = this.#parts;
    const authorizationUri = `${world.url}/${world.account.tenantId}`;
    const unauthorized = bearerRefusal({ tokens, audience, authorizationUri }, request.headers['authorization']);
    if (unauthorized) return answer(unauthorized);
    const versions = { apiVersions: this.#parts.apiVersions, location: world.account.location };
    const registered = this.#scopeRefusal(request) ?? registrationRefusal(world.behaviours, request);
    const scope =
      versionRefusal(route, request, versions) ??
      registered ??
      this.#parts.access.refusalOf(request) ??
      this.#parts.access.lockRefusalOf(request);
    return scope && answer(armRefusalReply(scope));
  }

  #scopeRefusal(request: ArmRequest): ArmRefusal | undefined {
    const { account } = this.#parts.world;
    const { subscriptionId, resourceGroup } = request.params;
    if (subscriptionId !== undefined && subscriptionId.toLowerCase() !== account.subscriptionId) {
      return refusal(404, 'SubscriptionNotFound', `The subscription '${subscriptionId}' could not be found.`);
    }
    const groups = [account.nodeResourceGroup, account.clusterResourceGroup].map((group) => group.toLowerCase());
    if (resourceGroup !== undefined && !groups.includes(resourceGroup.toLowerCase())) {
      return refusal(404, 'ResourceGroupNotFound', `Resource group '${resourceGroup}' could not be found.`);
    }
    return undefined;
  }

  #withFaults({ route, request }: Found): ServiceAnswer {
    const { effects, effectsOfParts } = this.#befall({ route, request });
    const instead = this.#answerInstead({ route, request }, effectsOfParts.length === 0 ? effects : effects.filter(isOfAll));
    if (instead) return instead;
    const reply = this.#limited(route, { ...request, effects, effectsOfParts });
    if (effects.some((effect) => effect.kind === 'reset')) return { kind: 'reset' };
    return answer(reply, route.asynchronous ? 0 : this.#delayMsOf(effects));
  }

  #befall({ route, request }: Found): Pick<ArmRequest, 'effects' | 'effectsOfParts'> {
    const name = request.params['name'] ?? nameOf(request.path);
    const befall = (subject: Partial<FaultSubject> = {}) => this.#parts.faults.befall({ operation: route.operation, name, ...subject });
    const effectsOfParts = (route.parts?.(request) ?? []).map(befall);
    return { effectsOfParts, effects: effectsOfParts.length === 0 ? befall(route.subject?.(request)) : effectsOfParts.flat() };
  }

  /** The answer of a fault that keeps the request from being read. */
  #answerInstead({ route, request }: Found, effects: readonly ArmFaultEffect[]): ServiceAnswer | undefined {
    const effect = effects.find((candidate) => candidate.kind === 'refuse' || (candidate.kind === 'reset' && candidate.when === 'before'));
    if (effect?.kind === 'reset') return { kind: 'reset' };
    if (effect?.kind !== 'refuse') return undefined;
    if (effect.refusal.status !== 429) route.refusedByFault?.(request);
    const worded = isResourceManagers(effect.refusal) ? armRefusalReply : (route.refused ?? armRefusalReply);
    return answer(worded(effect.refusal));
  }

  #delayMsOf(effects: readonly ArmFaultEffect[]): number {
    return effects.reduce((sum, effect) => sum + (effect.kind === 'delay' ? effect.byMs : 0), 0);
  }

  #limited(route: ArmRoute, request: ArmRequest): ArmReply {
    if (route.anonymous) return route.handle(request);
    const kind = requestClassOf(request.method);
    const verdict = this.#parts.limiter.take(kind);
    const reply =
      verdict.retryAfterSeconds === undefined
        ? this.#handled(route, request)
        : armRefusalReply(knownRefusals.tooManyRequests(verdict.retryAfterSeconds, kind));
    const headers = {
      ...reply.headers,
      [`x-ms-ratelimit-remaining-subscription-${kind}`]: String(verdict.remaining),
      ...(this.#parts.limiter.isEnforced &&
        providerOf(request.path) === 'Microsoft.Compute' &&
        grantedByCompute(request, verdict.remaining)),
    };
    return { ...reply, headers };
  }

  /** By the service behind Resource Manager; AKS grants less than that. */
  #handled(route: ArmRoute, request: ArmRequest): ArmReply {
    if (!request.path.includes('/providers/Microsoft.ContainerService/')) return route.handle(request);
    const { retryAfterSeconds } = this.#parts.limiter.take('aks');
    return retryAfterSeconds === undefined ? route.handle(request) : armRefusalReply(knownRefusals.tooManyAksRequests(retryAfterSeconds));
  }

  #identified(result: ServiceAnswer): ServiceAnswer {
    if (result.kind === 'reset') return result;
    const id = this.#parts.world.ids.uuid('request');
    const now = new Date(this.#parts.world.clock.now()).toUTCString();
    const headers = { Date: now, 'x-ms-request-id': id, 'x-ms-correlation-request-id': id, ...result.reply.headers };
    return { ...result, reply: { ...result.reply, headers } };
  }

  #record(request: ArmRequest, operation: string, result: ServiceAnswer): void {
    this.#parts.log.record({
      atMs: this.#parts.world.clock.now(),
      operation,
      action: roleActionOf(request.method, request.path),
      method: request.method,
      path: request.path,
      apiVersion: request.query.get('api-version') ?? undefined,
      query: Object.fromEntries(request.query),
      headers: request.headers,
      body: request.body,
      status: result.kind === 'reply' ? result.reply.status : 0,
    });
  }
}
