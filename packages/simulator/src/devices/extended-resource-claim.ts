import type { Container, DeviceClass, PodSpec, ResourceList } from '@karpenter/core/internal';
import { nanosOfQuantity } from './selects-device.ts';

/** A device request that serves a container's request for an extended resource. */
export interface ExtendedResourceMapping {
  readonly containerName: string;
  readonly resourceName: string;
  readonly requestName: string;
}

interface CountedRequest {
  readonly name: string;
  readonly exactly: { readonly deviceClassName: string; readonly allocationMode: 'ExactCount'; readonly count: number };
}

/** The claim that kube-scheduler makes for the extended resources of a pod. */
export interface ExtendedResourceClaim {
  readonly requests: readonly CountedRequest[];
  readonly mappings: readonly ExtendedResourceMapping[];
}

/** The resource that every DeviceClass stands for begins with it. */
const OF_CLASS = 'deviceclass.resource.kubernetes.io/';

const ageOf = ({ metadata }: DeviceClass): string => metadata.creationTimestamp ?? '';

/**
 * The name of the DeviceClass behind an extended resource: of several the newest, then the first by name. Undefined:
 * there is none.
 */
export const classBehind = (resource: string, classes: ReadonlyMap<string, DeviceClass>): string | undefined => {
  if (resource.startsWith(OF_CLASS)) return classes.get(resource.slice(OF_CLASS.length))?.metadata.name;
  const [first] = [...classes.values()]
    .filter(({ spec }) => spec.extendedResourceName === resource)
    .sort((a, b) => ageOf(b).localeCompare(ageOf(a)) || a.metadata.name.localeCompare(b.metadata.name));
  return first?.metadata.name;
};

interface Asking {
  readonly container: Container;
  readonly index: number;
  /** It ends before the containers that follow it run, which take over its devices. */
  readonly ends: boolean;
  readonly asked: ResourceList;
}

const askingOf = ({ initContainers = [], containers }: PodSpec): readonly Asking[] =>
  [...initContainers, ...containers].map((container, index) => ({
    ...{ container, index },
    ends: index < initContainers.length && container.restartPolicy !== 'Always',
    asked: { ...container.resources?.limits, ...container.resources?.requests },
  }));

const countOf = ({ asked }: Asking, resource: string): number => Number(nanosOfQuantity(asked[resource] ?? 0) / 1_000_000_000n);

const requestOf = ({ index, asked }: Asking, resource: string): string =>
  `container-${index}-request-${Object.keys(asked).sort().indexOf(resource)}`;

interface ServedContainer {
  /** Requests that serve it, in order. */
  readonly served: readonly string[];
  /** Its own, where those of others do not suffice. */
  readonly own?: { readonly name: string; readonly count: number };
}

/** Serves a container with the requests of others, and a further one of its own. */
const serve = (each: Asking, resource: string, others: ReadonlyMap<string, number>): ServedContainer => {
  let missing = countOf(each, resource);
  const served: string[] = [];
  for (const [name, count] of missing > 0 ? others : []) {
    if (missing <= 0) break;
    served.push(name);
    missing -= count;
  }
  const name = requestOf(each, resource);
  return missing > 0 ? { served: [...served, name], own: { name, count: missing } } : { served };
};

/** The requests for one resource. Of the containers that end, only the largest has one: the others use it too. */
const claimFor = (containers: readonly Asking[], resource: string, deviceClassName: string): ExtendedResourceClaim => {
  const lasting = new Map<number, ServedContainer>();
  for (const each of containers) if (!each.ends) lasting.set(each.index, serve(each, resource, new Map()));
  const after = (index: number): ReadonlyMap<string, number> =>
    new Map([...lasting].flatMap(([other, { own }]) => (other > index && own !== undefined ? [[own.name, own.count] as const] : [])));
  const ending = new Map(containers.filter(({ ends }) => ends).map((each) => [each.index, serve(each, resource, after(each.index))]));
  const [largest] = [...ending.values()].flatMap(({ own }) => own ?? []).sort((a, b) => b.count - a.count);
  const ofEnding = new Set([...ending.values()].flatMap(({ own }) => own?.name ?? []));
  const requests = [...(largest === undefined ? [] : [largest]), ...[...lasting.values()].flatMap(({ own }) => own ?? [])];
  const mappings = [...lasting, ...ending].flatMap(([index, { served }]) =>
    served.map((name) => ({
      ...{ containerName: containers[index]?.container.name ?? '', resourceName: resource },
      requestName: ofEnding.has(name) ? (largest?.name ?? name) : name,
    })),
  );
  return {
    requests: requests.map(({ name, count }) => ({ name, exactly: { deviceClassName, allocationMode: 'ExactCount', count } })),
    mappings,
  };
};

/** The extended resources that containers request, sorted. */
export const extendedResourcesIn = (spec: PodSpec): readonly string[] =>
  [...new Set(askingOf(spec).flatMap(({ asked }) => Object.keys(asked)))].filter((name) => name.includes('/')).sort();

/**
 * The claim for the extended resources of a pod that a machine meets with devices; undefined where it has none.
 * `classOf`: resource → class, where the machine has no such resource of a device plugin. Source: Kubernetes, plugin
 * DynamicResources.
 */
export const extendedResourceClaim = (
  spec: PodSpec,
  classOf: (resource: string) => string | undefined,
): ExtendedResourceClaim | undefined => {
  const containers = askingOf(spec);
  const claims = extendedResourcesIn(spec).flatMap((resource) => {
    const deviceClassName = classOf(resource);
    return deviceClassName === undefined ? [] : [claimFor(containers, resource, deviceClassName)];
  });
  const requests = claims.flatMap((each) => each.requests).sort((a, b) => (a.name < b.name ? -1 : 1));
  return requests.length === 0 ? undefined : { requests, mappings: claims.flatMap((each) => each.mappings) };
};
