import { kubeTime } from '@karpenter/runtime';
import { type Reply, reply } from './reply.ts';
import { type ApiRequest, writeOptionsOf } from './api-request.ts';
import type { ApiRoute } from './route.ts';
import { deleteOptionsIn } from './delete-handler.ts';
import { bodyOf, type HandlerTools, shown } from './handler-tools.ts';
import { podLog } from './pod-log.ts';
import { handleResource, patchTypeOf } from './resource-handler.ts';
import { asRecord, type JsonObject, textAt, valueAt } from '../json/json.ts';
import { jsonPatch } from '../patch/json-patch.ts';
import { mergePatch } from '../patch/merge-patch.ts';
import { ApiError } from '../status/api-error.ts';
import { badRequest, methodNotAllowed, otherName, otherNamespace, unknownPath } from '../status/refusals.ts';
import { goKind } from '../json/go-text.ts';
import { unfitPatch } from '../verbs/patch-object.ts';
import { createBinding } from '../verbs/pod-binding.ts';
import { createEviction } from '../verbs/pod-eviction.ts';
import { readObject } from '../verbs/read.ts';
import { scaleOf, updateScale } from '../verbs/scale.ts';
import type { Resource, ScalePaths } from '../resources/resource.ts';
import { debuggablePods, resizablePods } from '../resources/strategies/pod-subresources.ts';
import { serviceAccountUser } from '../public/access.ts';
import { finalizeNamespace } from '../verbs/update.ts';

const done = (): Reply => reply(201, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 });

type Handler = (tools: HandlerTools, request: ApiRequest, warn: (text: string) => void) => Reply;

/** Answers a request for a subresource. Throws an `ApiError` (`NotFound`) for one that the kind does not have. */
export const handleSubresource: Handler = (tools, request, warn) => {
  const { resource, subresource = '' } = request.route;
  const handler = handlerOf(resource, subresource);
  if (handler === undefined) throw unknownPath();
  return handler(tools, request, warn);
};

const handleStatus: Handler = (tools, request, warn) => {
  if (!['get', 'update', 'patch'].includes(request.verb)) throw methodNotAllowed();
  return handleResource(tools, request, warn);
};

/** Answers as for the status of a changed route. */
const asStatusOf =
  (change: (route: ApiRoute) => Partial<ApiRoute>): Handler =>
  (tools, request, warn) =>
    handleStatus(tools, { ...request, route: { ...request.route, ...change(request.route) } }, warn);

const HOUR_SECONDS = 3_600;

/** A token with which a service account may ask this server. `Differs:` it is no JWT, and does not expire. */
const handleToken: Handler = ({ engine, gate }, request) => {
  const { resource, namespace = 'default', name = '' } = request.route;
  if (request.verb !== 'create') throw methodNotAllowed();
  const body = bodyOf({ ...request, route: { ...request.route, resource: { ...resource, kind: 'TokenRequest' } } });
  readObject(engine, resource, { namespace, name });
  const seconds = Number(valueAt(body, 'spec.expirationSeconds') ?? HOUR_SECONDS);
  const status = {
    token: gate.issue(serviceAccountUser(namespace, name)),
    expirationTimestamp: kubeTime(engine.nowMs + seconds * 1000),
  };
  const spec = { ...asRecord(body['spec']), expirationSeconds: seconds };
  const metadata = { name, namespace, creationTimestamp: kubeTime(engine.nowMs) };
  return reply(201, { kind: 'TokenRequest', apiVersion: 'authentication.k8s.io/v1', metadata, spec, status });
};

const handlerOf = (resource: Resource, subresource: string): Handler | undefined => {
  switch (subresource) {
    case 'status':
      return resource.hasStatus ? handleStatus : undefined;
    case 'scale':
      return resource.scale && scaleHandler(resource.scale);
    default:
      return own[resource.storage]?.[subresource];
  }
};

/** What would need a process behind the pod: kubelets here pretend to run one. */
const refuseProcess: Handler = ({ engine }, { route: { resource: pods, namespace = 'default', name = '', subresource = '' } }) => {
  readObject(engine, pods, { namespace, name });
  throw new ApiError('BadRequest', `pod "${name}" is simulated: no process runs in it, so there is no ${subresource}`);
};

/** A posted action on the object of the path. Throws an `ApiError` for another kind, name or namespace. */
const actionIn = (request: ApiRequest, kind: string): JsonObject => {
  const body = bodyOf(request);
  const { name, namespace } = request.route;
  refuseOtherKind(body, kind);
  if (textAt(body, 'metadata.name') !== name) throw badRequest(`name in URL does not match name in ${kind} object`);
  if (!['', namespace].includes(textAt(body, 'metadata.namespace'))) throw otherNamespace();
  return body;
};

const GO_GROUPS: Readonly<Record<string, string>> = { Binding: 'core', Eviction: 'policy', Scale: 'autoscaling' };

const refuseOtherKind = (body: JsonObject, kind: string): void => {
  const given = textAt(body, 'kind');
  if (given === '' || given === kind) return;
  const why = `converting (v1.${given}) to (${GO_GROUPS[kind] ?? ''}.${kind}): unknown conversion`;
  throw badRequest(`${given} in version "v1" cannot be handled as a ${kind}: ${why}`);
};

const handlePodAction: Handler = ({ engine, policies }, request, warn) => {
  const { resource: pods, subresource, namespace = 'default', name = '' } = request.route;
  if (request.verb !== 'create') throw methodNotAllowed();
  const { dryRun, admit } = writeOptionsOf(request, policies, warn);
  const body = actionIn(request, subresource === 'binding' ? 'Binding' : 'Eviction');
  const object = { ...body, metadata: { ...asRecord(body['metadata']), name, namespace } };
  admit({ operation: 'CREATE', resource: pods, object, oldObject: undefined });
  if (subresource === 'binding') createBinding(engine, pods, { namespace, name, body, dryRun });
  else {
    const inner = asRecord(body['deleteOptions']);
    createEviction(engine, {
      pods,
      namespace,
      name,
      options: deleteOptionsIn({ ...request, body: inner }, dryRun || Array.isArray(inner['dryRun'])),
    });
  }
  return done();
};

const scaleHandler =
  (paths: ScalePaths): Handler =>
  ({ engine, policies }, request, warn) => {
    const { resource, namespace, name = '' } = request.route;
    const object = readObject(engine, resource, { namespace, name });
    const options = writeOptionsOf(request, policies, warn);
    const current = scaleOf(resource, object, paths);
    if (request.verb === 'get') return reply(200, current);
    if (request.verb !== 'update' && request.verb !== 'patch') throw methodNotAllowed();
    const scale = request.verb === 'update' ? scaleIn(request) : patchedScale(current, request);
    return reply(200, updateScale(engine, { resource, object, paths, scale }, options));
  };

const scaleIn = (request: ApiRequest): JsonObject => {
  const body = bodyOf(request);
  const { name = '' } = request.route;
  refuseOtherKind(body, 'Scale');
  const given = textAt(body, 'metadata.name');
  if (given !== name) throw otherName(given, name);
  return body;
};

const patchedScale = (current: JsonObject, request: ApiRequest): JsonObject => {
  const patch = request.body ?? null;
  const result = patchTypeOf(request) === 'json' ? jsonPatch(current, patch) : mergePatch(current, patch);
  const replicas = valueAt(result, 'spec.replicas');
  if (replicas !== undefined && typeof replicas !== 'number') {
    const problem = `json: cannot unmarshal ${goKind(replicas)} into Go struct field ScaleSpec.spec.replicas of type int32`;
    throw unfitPatch(JSON.stringify(result), problem);
  }
  return asRecord(result);
};

const finalize = (tools: HandlerTools, request: ApiRequest): Reply => {
  const { engine } = tools;
  const { resource, name = '' } = request.route;
  const namespace = readObject(engine, resource, { namespace: undefined, name });
  return shown(tools, request, finalizeNamespace(engine, namespace, valueAt(bodyOf(request), 'spec.finalizers')));
};

/** Subresources that one kind alone has. */
const own: Readonly<Record<string, Readonly<Record<string, Handler>>>> = {
  pods: {
    ...{ binding: handlePodAction, eviction: handlePodAction, log: podLog },
    ...{ exec: refuseProcess, attach: refuseProcess, portforward: refuseProcess },
    /** Changes the cpu and memory of a pod's containers; the kubelet does the rest. */
    resize: asStatusOf(({ resource }) => ({ resource: resizablePods(resource) })),
    /** Adds the containers of `kubectl debug`. */
    ephemeralcontainers: asStatusOf(({ resource }) => ({ resource: debuggablePods(resource) })),
  },
  namespaces: { finalize },
  serviceaccounts: { token: handleToken },
  /** The approval of a certificate request is a condition of its status. */
  'certificatesigningrequests.certificates.k8s.io': { approval: asStatusOf(() => ({ subresource: 'status' })) },
};
