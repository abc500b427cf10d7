import type { Engine } from '../engine/engine.ts';
import type { Registry } from '../engine/registry.ts';
import type { JsonObject, JsonValue } from '../json/json.ts';
import { aggregatedDiscovery, groupDocument, groupList, resourceList } from '../discovery/discovery-documents.ts';
import { openApiIndex, openApiV3 } from '../openapi/openapi-v3.ts';
import { openApiV2 } from '../openapi/openapi-v2.ts';
import { encodeOpenApiV2 } from '../openapi/encode-openapi-v2.ts';
import { review } from '../access/reviews.ts';
import type { Gate } from '../access/gate.ts';
import type { User } from '../door/access.ts';
import { ApiError } from '../status/api-error.ts';
import type { Reply } from './reply.ts';
import { reply } from './reply.ts';

/** A request that names no resource: discovery, OpenAPI, version, health, reviews. */
interface DocumentRequest {
  readonly path: string;
  readonly method: string;
  readonly accept: string;
  readonly body: JsonValue | undefined;
  readonly user: User;
}

/** Answers what is not about objects. Throws an `ApiError` (`NotFound`) for unknown paths. */
export interface DocumentServer {
  serve(request: DocumentRequest): Reply;
}

const VERSION: JsonObject = {
  major: '1',
  minor: '35',
  gitVersion: 'v1.35.0',
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '2026-01-01T00:00:00Z',
  goVersion: '',
  compiler: 'none',
  platform: 'linux/amd64',
};

const PROTOBUF_V2 = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';

const unknownPath = (): ApiError => new ApiError('NotFound', 'the server could not find the requested resource');

const found = (document: JsonObject | undefined): Reply => {
  if (document === undefined) throw unknownPath();
  return reply(200, document);
};

const V3 = '/openapi/v3/';

/** Legacy discovery below `/api` and `/apis`. */
const groupDiscovery = (registry: Registry, [root, group = '', version, ...rest]: readonly string[]): JsonObject | undefined => {
  if (rest.length > 0) return undefined;
  if (root === 'api') return version === undefined ? resourceList(registry, group) : undefined;
  if (root !== 'apis') return undefined;
  return version === undefined ? groupDocument(registry, group) : resourceList(registry, `${group}/${version}`);
};

/** Serves the documents of an engine; OpenAPI documents are rebuilt when the served resources change. */
export const createDocumentServer = (engine: Engine, gate: Gate): DocumentServer => {
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
    '/version': () => reply(200, VERSION),
    '/healthz': () => ({ status: 200, bytes: Buffer.from('ok'), contentType: 'text/plain' }),
    '/livez': () => ({ status: 200, bytes: Buffer.from('ok'), contentType: 'text/plain' }),
    '/readyz': () => ({ status: 200, bytes: Buffer.from('ok'), contentType: 'text/plain' }),
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
      const serveFixed = fixed[path];
      if (serveFixed !== undefined) return serveFixed(request);
      const answer = request.method === 'POST' ? review(path, request.body, { gate, user: request.user }) : undefined;
      if (answer !== undefined) return reply(201, answer);
      if (path.startsWith(V3)) return memo(path, () => found(openApiV3(registry, path.slice(V3.length))));
      return found(groupDiscovery(registry, path.split('/').filter(Boolean)));
    },
  };
};
