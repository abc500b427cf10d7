import type { IncomingMessage } from 'node:http';
import { parse } from 'yaml';
import type { User } from '../public/access.ts';
import type { ApiVerb } from '../public/faults.ts';
import { asRecord, isObject, type JsonValue, textAt } from '../json/json.ts';
import type { PolicyGate } from '../policies/admit.ts';
import { decodeProtobuf, isKubernetesProtobuf } from '../protobuf/decode-protobuf.ts';
import type { ApiError } from '../status/api-error.ts';
import { badRequest, invalidOptions } from '../status/refusals.ts';
import { type FieldError, forbiddenField, unsupported } from '../status/field-error.ts';
import type { WriteParams } from '../verbs/write-options.ts';
import type { ApiRoute } from './route.ts';

/** A request for a resource, read but not yet judged. */
export interface ApiRequest {
  readonly verb: ApiVerb;
  readonly route: ApiRoute;
  readonly query: URLSearchParams;
  readonly accept: string;
  readonly contentType: string;
  readonly body: JsonValue | undefined;
  readonly userAgent: string;
  readonly user: User;
}

const NAMED: Readonly<Record<string, ApiVerb>> = { GET: 'get', PUT: 'update', PATCH: 'patch', DELETE: 'delete' };
const UNNAMED: Readonly<Record<string, ApiVerb>> = { GET: 'list', POST: 'create', DELETE: 'deletecollection' };

/** The Kubernetes verb of a method on a route; undefined when the method is not allowed there. */
export const verbOf = (method: string, route: ApiRoute, query: URLSearchParams): ApiVerb | undefined => {
  if (method === 'GET' && route.name === undefined && ['true', '1'].includes(query.get('watch') ?? '')) return 'watch';
  if (method === 'POST' && route.subresource !== undefined) return 'create';
  return (route.name === undefined ? UNNAMED : NAMED)[method];
};

/** Reads a body of JSON, of Kubernetes' protobuf, or of YAML when its content type says so. */
export const readBody = async (message: IncomingMessage): Promise<JsonValue | undefined> => {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  if (isKubernetesProtobuf(bytes)) return decodeProtobuf(bytes);
  const text = bytes.toString();
  if (text === '') return undefined;
  try {
    return JSON.parse(text) as JsonValue;
  } catch (cause) {
    if ((message.headers['content-type'] ?? '').includes('yaml')) return parse(text) as JsonValue;
    throw Object.assign(badRequest(`unable to parse the request body: ${cause instanceof Error ? cause.message : 'not JSON'}`), { cause });
  }
};

/** The policies' word on a write of this request. */
const admission =
  ({ route, user }: ApiRequest, policies: PolicyGate, { dryRun, warn }: Pick<WriteParams, 'dryRun' | 'warn'>): WriteParams['admit'] =>
  ({ operation, resource, object, oldObject }) => {
    const metadata = asRecord((object ?? oldObject)?.['metadata']);
    const [name, namespace] = [textAt(metadata, 'name'), textAt(metadata, 'namespace') || undefined];
    policies.admit({ operation, resource, subresource: route.subresource, name, namespace, object, oldObject, user, dryRun }, warn);
  };

const OPTIONS: Partial<Readonly<Record<ApiVerb, string>>> = {
  create: 'CreateOptions',
  update: 'UpdateOptions',
  patch: 'PatchOptions',
  delete: 'DeleteOptions',
  deletecollection: 'DeleteOptions',
};

/** The write options in the query (and in the body of a delete). */
export const writeOptionsOf = (request: ApiRequest, policies: PolicyGate, warn: (text: string) => void): WriteParams => {
  const { query, route, userAgent, verb } = request;
  const refused = (error: FieldError): ApiError => invalidOptions(OPTIONS[verb] ?? '', error);
  const dryRun = [...query.getAll('dryRun'), ...dryRunInBody(request)];
  const unknown = dryRun.filter((value) => value !== 'All');
  if (unknown.length > 0) throw refused(unsupported('dryRun', unknown, ['All']));
  if (verb === 'patch' && query.has('force') && !isApply(request))
    throw refused(forbiddenField('force', 'may not be specified for non-apply patch'));
  return {
    dryRun: dryRun.length > 0,
    fieldValidation: fieldValidationIn(query, refused),
    fieldManager: query.get('fieldManager') ?? (userAgent.split('/')[0] || 'unknown'),
    force: query.get('force') === 'true',
    subresource: route.subresource,
    warn,
    admit: admission(request, policies, { dryRun: dryRun.length > 0, warn }),
  };
};

const VALIDATIONS = ['Ignore', 'Strict', 'Warn'] as const;

const fieldValidationIn = (query: URLSearchParams, refused: (error: FieldError) => ApiError): WriteParams['fieldValidation'] => {
  const given = query.get('fieldValidation') ?? 'Warn';
  const known = VALIDATIONS.find((one) => one === given);
  if (known === undefined) throw refused(unsupported('fieldValidation', given, ['', ...VALIDATIONS]));
  return known;
};

/** Whether a patch is a server-side apply. */
export const isApply = ({ contentType }: Pick<ApiRequest, 'contentType'>): boolean => contentType.startsWith('application/apply-patch');

/** The body of a delete is its options, whether or not it says so: kubectl sends it without a kind. */
const dryRunInBody = ({ verb, body }: ApiRequest): readonly string[] =>
  (verb === 'delete' || verb === 'deletecollection') && isObject(body) && Array.isArray(body['dryRun']) ? body['dryRun'].map(String) : [];
