import { type JsonObject, objectsAt, textAt } from '../json/json.ts';
import { badRequest } from '../status/refusals.ts';
import type { StoredObject } from '../store/stored-object.ts';
import { readObject } from '../verbs/read.ts';
import type { ApiRequest } from './api-request.ts';
import type { HandlerTools } from './handler-tools.ts';
import type { Reply } from './reply.ts';

interface LogLine {
  readonly at: string;
  readonly text: string;
}

const LISTS = ['containers', 'initContainers', 'ephemeralContainers'];

/** The container whose log is meant. Throws an `ApiError` (`BadRequest`) when there is none, or a choice. */
const containerIn = (pod: StoredObject, wanted: string): JsonObject => {
  const { name } = pod.metadata;
  const all = LISTS.flatMap((list) => objectsAt(pod, `spec.${list}`));
  const [first, ...others] = objectsAt(pod, 'spec.containers');
  if (wanted === '' && others.length > 0) {
    const names = [first, ...others].map((container) => textAt(container, 'name')).join(' ');
    throw badRequest(`a container name must be specified for pod ${name}, choose one of: [${names}]`);
  }
  const found = wanted === '' ? first : all.find((container) => textAt(container, 'name') === wanted);
  if (found === undefined) throw badRequest(`container ${wanted} is not valid for pod ${name}`);
  return found;
};

/** What the container has been through. */
const linesOf = (pod: StoredObject, container: JsonObject): readonly LogLine[] => {
  const { name, namespace = '' } = pod.metadata;
  const [own, node] = [textAt(container, 'name'), textAt(pod, 'spec.nodeName')];
  const statuses = ['containerStatuses', 'initContainerStatuses'].flatMap((list) => objectsAt(pod, `status.${list}`));
  const state = statuses.find((status) => textAt(status, 'name') === own);
  const startedAt = textAt(state, 'state.running.startedAt') || textAt(state, 'state.terminated.startedAt');
  if (startedAt === '') throw badRequest(`container "${own}" in pod "${name}" is waiting to start: ContainerCreating`);
  const finishedAt = textAt(state, 'state.terminated.finishedAt');
  const exitCode = textAt(state, 'state.terminated.exitCode');
  return [
    { at: startedAt, text: `simulated: no process runs in pod ${namespace}/${name}` },
    { at: startedAt, text: `simulated: container ${own} (${textAt(container, 'image')}) started on node ${node}` },
    ...(finishedAt === '' ? [] : [{ at: finishedAt, text: `simulated: container ${own} ended with exit code ${exitCode}` }]),
  ];
};

const countIn = (query: URLSearchParams, name: string): number | undefined => {
  const text = query.get(name);
  return text === null ? undefined : Number(text);
};

/**
 * Answers `pods/log`: kubelets here run no process, and the log says so. Throws an `ApiError` for what a kubelet
 * refuses too.
 */
export const podLog = ({ engine }: HandlerTools, { route, query }: ApiRequest): Reply => {
  const { resource, namespace = 'default', name = '' } = route;
  const pod = readObject(engine, resource, { namespace, name });
  const container = containerIn(pod, query.get('container') ?? '');
  if (query.get('previous') === 'true')
    throw badRequest(`previous terminated container "${textAt(container, 'name')}" in pod "${name}" not found`);
  const sinceMs = engine.nowMs - (countIn(query, 'sinceSeconds') ?? Infinity) * 1000;
  const recent = linesOf(pod, container).filter(({ at }) => Date.parse(at) >= sinceMs);
  const tail = countIn(query, 'tailLines') ?? recent.length;
  const shown = tail === 0 ? [] : recent.slice(-tail);
  const isStamped = query.get('timestamps') === 'true';
  const text = shown.map((line) => `${isStamped ? `${line.at} ` : ''}${line.text}\n`).join('');
  return { status: 200, bytes: Buffer.from(text), contentType: 'text/plain' };
};
