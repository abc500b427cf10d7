import type { Reply } from './reply.ts';
import { reply } from './reply.ts';
import type { ApiRequest } from './api-request.ts';
import { writeOptionsOf } from './api-request.ts';
import type { HandlerTools } from './resource-handler.ts';
import { bodyOf, deleteOptionsIn, handleResource, patchTypeOf } from './resource-handler.ts';
import { asObject, isObject } from '../json/json.ts';
import type { JsonObject } from '../json/json.ts';
import { jsonPatch } from '../patch/json-patch.ts';
import { mergePatch } from '../patch/merge-patch.ts';
import { ApiError } from '../status/api-error.ts';
import { notFound } from '../status/refusals.ts';
import { textAt } from '../json/value-at.ts';
import { bindPod } from '../verbs/pod-binding.ts';
import { evictPod } from '../verbs/pod-eviction.ts';
import { readObject } from '../verbs/read.ts';
import { scaleOf, updateScale } from '../verbs/scale.ts';
import type { Resource } from '../resources/resource.ts';
import { asJson, asStored } from '../store/stored-object.ts';
import { isFinished } from '../verbs/update.ts';
import { shown } from './resource-handler.ts';

const done = (): Reply => reply(201, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 });

type Handler = (tools: HandlerTools, request: ApiRequest, warn: (text: string) => void) => Reply;

/** Answers a request for a subresource. Throws an `ApiError` (`NotFound`) for one that the kind does not have. */
export const handleSubresource: Handler = (tools, request, warn) => {
  const { resource, subresource = '', name = '' } = request.route;
  const handler = handlerOf(resource, subresource);
  if (handler === undefined) throw notFound({ ...resource, plural: `${resource.plural}/${subresource}` }, name);
  return handler(tools, request, warn);
};

const handlerOf = (resource: Resource, subresource: string): Handler | undefined => {
  switch (subresource) {
    case 'status':
      return resource.hasStatus ? handleResource : undefined;
    case 'scale':
      return resource.scale === undefined ? undefined : handleScale;
    default:
      return own[resource.storage]?.[subresource];
  }
};

/** What would need a process behind the pod: kubelets here pretend to run one. */
const refuseProcess: Handler = ({ engine }, { route: { resource: pods, namespace = 'default', name = '', subresource = '' } }) => {
  readObject(engine, pods, { namespace, name });
  throw new ApiError('BadRequest', `pod "${name}" is simulated: no process runs in it, so there is no ${subresource}`);
};

const handlePodAction: Handler = ({ engine, policies }, request, warn) => {
  const { resource: pods, subresource, namespace = 'default', name = '' } = request.route;
  const { dryRun, admit } = writeOptionsOf(request, policies, warn);
  const body = bodyOf(request);
  const object = { ...body, metadata: { ...asObject(body['metadata']), name, namespace } };
  admit({ operation: 'CREATE', resource: pods, object, oldObject: undefined });
  if (subresource === 'binding') bindPod(engine, pods, { namespace, name, body });
  else {
    if (textAt(body, 'metadata.name') !== name) throw new ApiError('BadRequest', 'name in URL does not match name in Eviction object');
    const inner = asObject(body['deleteOptions']);
    evictPod(engine, {
      pods,
      namespace,
      name,
      options: deleteOptionsIn({ ...request, body: inner }, dryRun || Array.isArray(inner['dryRun'])),
    });
  }
  return done();
};

const handleScale = ({ engine, policies }: HandlerTools, request: ApiRequest, warn: (text: string) => void): Reply => {
  const { resource, namespace, name = '' } = request.route;
  const object = readObject(engine, resource, { namespace, name });
  const paths = pathsOf(resource);
  const options = writeOptionsOf(request, policies, warn);
  const current = scaleOf(object, paths);
  switch (request.verb) {
    case 'get':
      return reply(200, current);
    case 'update':
      return reply(200, updateScale(engine, { resource, object, paths, scale: bodyOf(request) }, options));
    case 'patch':
      return reply(200, updateScale(engine, { resource, object, paths, scale: patchedScale(current, request) }, options));
    default:
      throw new ApiError('MethodNotAllowed', 'the server does not allow this method on the requested resource');
  }
};

const pathsOf = ({ scale, plural }: Resource): NonNullable<Resource['scale']> => {
  if (scale === undefined) throw new Error(`${plural} cannot be scaled`);
  return scale;
};

const patchedScale = (current: JsonObject, request: ApiRequest): JsonObject => {
  const patch = request.body ?? null;
  const result = patchTypeOf(request.contentType) === 'json' ? jsonPatch(current, patch) : mergePatch(current, patch);
  return isObject(result) ? result : {};
};

const finalize = (tools: HandlerTools, request: ApiRequest): Reply => {
  const { engine } = tools;
  const { resource, name = '' } = request.route;
  const namespace = readObject(engine, resource, { namespace: undefined, name });
  const { finalizers } = asObject(bodyOf(request)['spec']);
  const left = Array.isArray(finalizers) && finalizers.length > 0 ? finalizers : undefined;
  const next = asStored({ ...asJson(namespace), spec: { finalizers: left } });
  return shown(tools, request, isFinished(next) ? engine.store.remove('namespaces', next) : engine.store.put('namespaces', asJson(next)));
};

/** Subresources that one kind alone has. */
const own: Readonly<Record<string, Readonly<Record<string, Handler>>>> = {
  pods: {
    ...{ binding: handlePodAction, eviction: handlePodAction },
    ...{ log: refuseProcess, exec: refuseProcess, attach: refuseProcess, portforward: refuseProcess },
  },
  namespaces: { finalize },
};
