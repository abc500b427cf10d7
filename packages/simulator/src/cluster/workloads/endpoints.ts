import type { KindRef, ApiObject, LocalApi } from '@karpenter/api-server';
import { parseKey } from '@karpenter/runtime';
import { getOrMake } from '@karpenter/core/internal';
import { type ControlDeps, type StartController, together } from '../control/control-deps.ts';
import { createWorkLoop } from '../control/work-loop.ts';
import { objectKeyText } from '../objects/object-key.ts';
import { hasEnded, isBeingDeleted, isReady, podKind, type PodObject } from '../objects/pod.ts';
import { controllerOf } from './owned-pod.ts';

interface ServicePort {
  readonly name?: string;
  readonly protocol?: string;
  readonly port: number;
  readonly targetPort?: number | string;
}

interface NamedPort {
  readonly containerPort: number;
  readonly name?: string;
}

interface Service extends ApiObject {
  readonly spec: { readonly selector?: Readonly<Record<string, string>>; readonly ports?: readonly ServicePort[] };
}

/** EndpointSlices and Endpoints. They are only written here. */
type Derived = ApiObject & Readonly<Record<string, unknown>>;

const services: KindRef<Service> = { kind: 'Service', apiVersion: 'v1' };
const slices: KindRef<Derived> = { kind: 'EndpointSlice', apiVersion: 'discovery.k8s.io/v1' };
const endpoints: KindRef<Derived> = { kind: 'Endpoints', apiVersion: 'v1' };

/** A port that is named in the Service is a number in its pods. */
const portOf = ({ name = '', protocol = 'TCP', port, targetPort = port }: ServicePort, pods: readonly PodObject[]) => {
  const ports: readonly NamedPort[] = pods.flatMap(({ spec }) => spec.containers.flatMap((container) => container.ports ?? []));
  const number = typeof targetPort === 'number' ? targetPort : ports.find((each) => each.name === targetPort)?.containerPort;
  return { ...(name === '' ? {} : { name }), port: number ?? port, protocol };
};

const targetOf = ({ metadata }: PodObject) => ({ kind: 'Pod', name: metadata.name, namespace: metadata.namespace, uid: metadata.uid });

const endpointOf = (pod: PodObject) => ({
  addresses: [pod.status?.podIP],
  conditions: { ready: isReady(pod) && !isBeingDeleted(pod), serving: isReady(pod), terminating: isBeingDeleted(pod) },
  nodeName: pod.spec.nodeName,
  targetRef: targetOf(pod),
});

const addressOf = (pod: PodObject) => ({ ip: pod.status?.podIP, nodeName: pod.spec.nodeName, targetRef: targetOf(pod) });

const subsetsOf = (pods: readonly PodObject[], ports: readonly object[]): readonly object[] => {
  if (pods.length === 0) return [];
  const [ready, notReady] = [pods.filter(isReady).map(addressOf), pods.filter((pod) => !isReady(pod)).map(addressOf)];
  return [{ ...(ready.length > 0 && { addresses: ready }), ...(notReady.length > 0 && { notReadyAddresses: notReady }), ports }];
};

const write = (api: LocalApi, kind: KindRef<Derived>, object: Derived): void => {
  const { namespace, name } = object.metadata;
  const before = api.get(kind, { namespace, name: name ?? '' });
  if (before === undefined) api.create(object);
  else api.update({ ...before, ...object, metadata: { ...before.metadata, labels: object.metadata.labels } });
};

const reconcile = ({ api, pods }: ControlDeps, service: Service): void => {
  const { name = '', namespace = '', uid = '', labels } = service.metadata;
  const { selector = {}, ports = [] } = service.spec;
  if (Object.keys(selector).length === 0) return;
  const backends = pods
    .inNamespace(namespace)
    .filter((pod) => !hasEnded(pod) && pod.status?.podIP !== undefined)
    .filter(({ metadata }) => Object.entries(selector).every(([key, value]) => metadata.labels?.[key] === value))
    .sort((a, b) => (objectKeyText(a) < objectKeyText(b) ? -1 : 1));
  const [ownerReferences, found] = [[controllerOf(service)], ports.map((port) => portOf(port, backends))];
  const own = { 'kubernetes.io/service-name': name, 'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io' };
  write(api, slices, {
    ...{ apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', addressType: 'IPv4', ports: found, endpoints: backends.map(endpointOf) },
    metadata: { name: `${name}-${uid.slice(0, 5)}`, namespace, labels: { ...labels, ...own }, ownerReferences },
  });
  write(api, endpoints, {
    ...{ apiVersion: 'v1', kind: 'Endpoints', subsets: subsetsOf(backends, found) },
    metadata: { name, namespace, labels: { ...labels, 'endpoints.kubernetes.io/managed-by': 'endpoint-controller' }, ownerReferences },
  });
};

/** Changes are gathered for so long, as many pods of one service start together. */
const GATHER_MS = 100;

/**
 * Keeps the EndpointSlice and the Endpoints of each Service that selects pods. `Differs:` a Service has one slice,
 * however many its pods. Source: kubernetes.io, "EndpointSlices".
 */
export const startEndpoints: StartController = (deps) => {
  const { api, clock } = deps;
  const known = new Map<string, Map<string, Service>>();
  const loop = createWorkLoop(clock, (key) => {
    const service = api.get(services, parseKey(key));
    if (service !== undefined && !isBeingDeleted(service)) reconcile(deps, service);
    return undefined;
  });
  const watchServices = api.watch(services, ({ type, object }) => {
    const { namespace = '' } = object.metadata;
    const own = getOrMake(known, namespace, () => new Map<string, Service>());
    if (type === 'DELETED') own.delete(objectKeyText(object));
    else own.set(objectKeyText(object), object);
    loop.addAfter(objectKeyText(object), GATHER_MS);
  });
  const watchPods = api.watch(podKind, ({ object }) => {
    for (const [key, { spec }] of known.get(object.metadata.namespace ?? '') ?? []) {
      const selected = Object.entries(spec.selector ?? {});
      if (selected.length > 0 && selected.every(([label, value]) => object.metadata.labels?.[label] === value))
        loop.addAfter(key, GATHER_MS);
    }
  });
  return together(watchServices, watchPods, loop);
};
