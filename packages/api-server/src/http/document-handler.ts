import type { Engine } from '../engine/engine.ts';
import type { Registry } from '../engine/registry.ts';
import type { JsonObject, JsonValue } from '../json/json.ts';
import { aggregatedDiscovery, groupDocument, groupList, resourceList } from '../discovery/discovery-documents.ts';
import { openApiIndex, openApiV3 } from '../openapi/openapi-v3.ts';
import { openApiV2 } from '../openapi/openapi-v2.ts';
import { encodeOpenApiV2 } from '../openapi/encode-openapi-v2.ts';
import { isReview, review } from '../access/reviews.ts';
import { aggregatedAnswer, aggregatedRequestOf } from './aggregated-request.ts';
import type { Gate } from '../access/gate.ts';
import type { User } from '../public/access.ts';
import { methodNotAllowed, unknownPath } from '../status/refusals.ts';
import { type Reply, reply } from './reply.ts';

/** A request that names no resource: discovery, OpenAPI, version, health, reviews. */
interface DocumentRequest {
  readonly path: string;
  readonly method: string;
  readonly accept: string;
  readonly body: JsonValue | undefined;
  readonly user: User;
  readonly labelSelector: string;
}

/** Whether a path that names no resource has rules of its own about who may ask; of others the rules for paths decide. */
export const hasOwnRules = (registry: Registry, path: string): boolean =>
  isReview(path) || aggregatedRequestOf(registry, path) !== undefined;

/** Answers what is not about objects. Throws an `ApiError` (`NotFound`) for what a served group does not have. */
export interface DocumentServer {
  serve(request: DocumentRequest): Reply;
}

/** `1.35.0` */
export const FIRST_VERSION = '1.35.0';

const versionDocument = (version: string): JsonObject => ({
  major: version.split('.')[0] ?? '',
  minor: version.split('.')[1] ?? '',
  gitVersion: `v${version}`,
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '2026-01-01T00:00:00Z',
  goVersion: '',
  compiler: 'none',
  platform: 'linux/amd64',
});

const PROTOBUF_V2 = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';

const plain = (status: number, text: string): Reply => ({ status, bytes: Buffer.from(text), contentType: 'text/plain; charset=utf-8' });

/** What is not known at all is not found in plain text; only groups that are served speak as resources do. */
const notServed = (): Reply => plain(404, '404 page not found\n');

const found = (document: JsonObject | undefined): Reply => {
  return document === undefined ? notServed() : reply(200, document);
};

const V3 = '/openapi/v3/';

/** Legacy discovery below `/api` and `/apis`. */
const groupDiscovery = (registry: Registry, [root, group = '', version, ...rest]: readonly string[]): JsonObject | undefined => {
  if (rest.length > 0) return undefined;
  if (root === 'api') return version === undefined ? resourceList(registry, group) : undefined;
  if (root !== 'apis') return undefined;
  return version === undefined ? groupDocument(registry, group) : resourceList(registry, `${group}/${version}`);
};

/** Built-in groups answer for versions and resources that they have not; those of custom resources do not. */
const isOfServedGroup = (registry: Registry, root: string, [group = '']: readonly string[]): boolean =>
  root === 'api' || (root === 'apis' && registry.all().some((resource) => resource.group === group && !resource.custom));

/** Answers what has rules of its own about who may ask; undefined for any other path. */
const answerWithRules = ({ engine, gate }: { readonly engine: Engine; readonly gate: Gate }, path: string, request: DocumentRequest) => {
  const { method, body, user, labelSelector } = request;
  if (isReview(path)) {
    const answer = method === 'POST' ? review(path, body, { gate, user }) : undefined;
    if (answer === undefined) throw methodNotAllowed();
    return reply(201, answer);
  }
  const read = aggregatedRequestOf(engine.registry, path);
  return (
    read &&
    reply(
      200,
      aggregatedAnswer(read, labelSelector, (attributes) => gate.requireAllowed(user, attributes)),
    )
  );
};

/**
 * Serves the documents of an engine; OpenAPI documents are rebuilt when the served resources change. `version` is read
 * with each request.
 */
export const createDocumentServer = (engine: Engine, gate: Gate, version: () => string): DocumentServer => {
  const { registry } = engine;
  const built = new Map<string, { readonly revision: number; readonly reply: Reply }>();
  const memo = (key: string, build: () => Reply): Reply => {
    const known = built.get(key);
    if (known?.revision === registry.revision) return known.reply;
    const fresh = { revision: registry.revision, reply: build() };
    built.set(key, fresh);
    return fresh.reply;
  };
  const discovery = (accept: string, core: boolean, legacy: () => JsonObject): Reply => {
    if (!accept.includes('as=APIGroupDiscoveryList')) return reply(200, legacy());
    const version = accept.includes('v=v2;') || accept.includes('v=v2,') || /v=v2$/.test(accept) ? 'v2' : 'v2beta1';
    const body = { ...aggregatedDiscovery(registry, core), apiVersion: `apidiscovery.k8s.io/${version}` };
    return { status: 200, body, contentType: `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList` };
  };
  const fixed: Readonly<Record<string, (request: DocumentRequest) => Reply>> = {
    '/version': () => reply(200, versionDocument(version())),
    '/healthz': () => plain(200, 'ok'),
    '/livez': () => plain(200, 'ok'),
    '/readyz': () => plain(200, 'ok'),
    '/api': ({ accept }) => discovery(accept, true, () => ({ kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] })),
    '/apis': ({ accept }) => discovery(accept, false, () => groupList(registry)),
    '/openapi/v2': ({ accept }) => {
      if (!accept.includes('protobuf')) return memo('v2', () => reply(200, openApiV2(registry)));
      return memo('v2.pb', () => ({ status: 200, bytes: encodeOpenApiV2(openApiV2(registry)), contentType: PROTOBUF_V2 }));
    },
    '/openapi/v3': () => memo('v3', () => reply(200, openApiIndex(registry))),
  };
  return {
    serve: (request) => {
      const path = request.path.replace(/\/$/, '');
      const answer = answerWithRules({ engine, gate }, path, request);
      if (answer !== undefined) return answer;
      const serveFixed = fixed[path];
      if (serveFixed !== undefined && request.method !== 'GET') throw methodNotAllowed();
      if (serveFixed !== undefined) return serveFixed(request);
      if (path.startsWith(V3)) return memo(path, () => found(openApiV3(registry, path.slice(V3.length))));
      const [root = '', ...names] = path.split('/').filter(Boolean);
      const document = groupDiscovery(registry, [root, ...names]);
      if (document === undefined && isOfServedGroup(registry, root, names)) throw unknownPath();
      return found(document);
    },
  };
};
