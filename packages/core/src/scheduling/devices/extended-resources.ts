import { compareText, memoByObject } from '../../base/index.ts';
import { deviceClassFor } from '../../cluster/index.ts';
import type { ClusterSnapshot, DeviceView } from '../../cluster/index.ts';
import type { Container, DeviceClass, DeviceRequest, PodSpec, ResourceClaimSpec, ResourceList } from '../../kube/index.ts';
import { amountIn, podContainersProblem, resourcesOf } from '../../kube/index.ts';
import { compileSelector } from './cel/device-selector.ts';
import { publishedPools, templatePools } from './device-pools.ts';

/** Extended resources whose requests are met with devices. */
export interface ExtendedResources {
  /** The spec without requests for such resources: the same object where it has none. */
  withoutThem(spec: PodSpec): PodSpec;
  /** The claim that kube-scheduler makes for a pod's requests for such resources; undefined where it has none. */
  claimSpecOf(spec: PodSpec): ResourceClaimSpec | undefined;
}

/** Whether nodes or instance types have the resource itself, from a device plugin. */
const isOfPlugins = ({ nodes, nodePools }: ClusterSnapshot, resource: string): boolean =>
  nodes.some(({ allocatable }) => amountIn(allocatable, resource) > 0) ||
  nodePools.some(({ instanceTypes }) => instanceTypes.some(({ capacity }) => amountIn(capacity, resource) > 0));

/** Whether any published device, or any that an instance type brings, is of the class. */
const hasDevices = ({ nodePools, devices }: ClusterSnapshot, { spec }: DeviceClass): boolean => {
  const selectors = (spec.selectors ?? []).flatMap(({ cel }) => (cel === undefined ? [] : [compileSelector(cel.expression)]));
  const types = new Set(nodePools.flatMap(({ instanceTypes }) => instanceTypes));
  const pools = [...publishedPools(devices?.slices ?? []), ...[...types].flatMap(templatePools)];
  return pools.some((pool) => pool.devices.some((device) => selectors.every(({ selects }) => selects(device) === true)));
};

/** What a container asks for, with its limits where it names no request. */
const askedBy = ({ resources }: Container): ResourceList => ({ ...resources?.limits, ...resources?.requests });

const isShortLived = ({ restartPolicy }: Container): boolean => restartPolicy !== 'Always';

/** A device request of a container, and how many devices it is for. */
interface ContainerRequest {
  readonly name: string;
  readonly count: number;
}

const requestOf = (container: Container, index: number, resource: string): ContainerRequest | undefined => {
  const asked = askedBy(container);
  const count = amountIn(resourcesOf(asked), resource);
  if (count === 0) return undefined;
  return { name: `container-${index}-request-${Object.keys(asked).sort(compareText).indexOf(resource)}`, count };
};

/**
 * One request for each container that stays, and one for what init containers need beyond those of the containers that
 * follow them. Source: Kubernetes, plugin DynamicResources, `createRequestsAndMappings`.
 */
const requestsFor = ({ initContainers = [], containers }: PodSpec, resource: string): readonly ContainerRequest[] => {
  const all = [...initContainers, ...containers].map((container, index) => ({
    request: requestOf(container, index, resource),
    isShort: index < initContainers.length && isShortLived(container),
  }));
  const lasting = all.map(({ request, isShort }) => (isShort ? undefined : request));
  const beyond = all.flatMap(({ request, isShort }, index) => {
    if (!isShort || request === undefined) return [];
    const shared = lasting.slice(index).reduce((sum, other) => sum + (other?.count ?? 0), 0);
    return request.count > shared ? [{ ...request, count: request.count - shared }] : [];
  });
  const [first, ...rest] = beyond;
  const largest = rest.reduce((most, each) => (most !== undefined && most.count >= each.count ? most : each), first);
  return [...(largest === undefined ? [] : [largest]), ...lasting.flatMap((request) => request ?? [])];
};

/** A spec without requests for extended resources of classes, and the claim that stands for them. */
interface ReadSpec {
  readonly without: PodSpec;
  readonly claim: ResourceClaimSpec | undefined;
}

/**
 * Whether any container asks for a resource with a domain: no class stands for the others. A malformed spec is refused
 * later, by name.
 */
const asksWithDomain = ({ containers, initContainers }: PodSpec): boolean =>
  [containers, initContainers].some(
    (list: unknown) =>
      Array.isArray(list) &&
      (list as readonly (Partial<Container> | null)[]).some((container) =>
        [container?.resources?.requests, container?.resources?.limits].some((asked) =>
          Object.keys(asked ?? {}).some((resource) => resource.includes('/')),
        ),
      ),
  );

/** Reads each resource, and each spec, once. */
class BackedResources implements ExtendedResources {
  readonly #snapshot: ClusterSnapshot;
  readonly #view: DeviceView;
  /** Resource → its class; undefined where none stands for it. */
  readonly #known = new Map<string, string | undefined>();

  constructor(snapshot: ClusterSnapshot, view: DeviceView) {
    this.#snapshot = snapshot;
    this.#view = view;
  }

  withoutThem(spec: PodSpec): PodSpec {
    return asksWithDomain(spec) ? this.#read(spec).without : spec;
  }

  claimSpecOf(spec: PodSpec): ResourceClaimSpec | undefined {
    return asksWithDomain(spec) ? this.#read(spec).claim : undefined;
  }

  readonly #read = memoByObject((spec: PodSpec): ReadSpec => {
    // A malformed spec is refused later, by name.
    const backed = podContainersProblem(spec) === undefined ? this.#backedIn(spec) : [];
    return backed.length === 0 ? { without: spec, claim: undefined } : this.#split(spec, backed);
  });

  #split(spec: PodSpec, backed: readonly string[]): ReadSpec {
    const { initContainers, containers } = spec;
    const strip = (container: Container): Container => this.#strip(container);
    const requests = backed.flatMap((resource) => {
      const deviceClassName = this.#classOf(resource) ?? '';
      return requestsFor(spec, resource).map(({ name, count }): DeviceRequest => ({ name, exactly: { deviceClassName, count } }));
    });
    return {
      without: { ...spec, containers: containers.map(strip), ...(initContainers && { initContainers: initContainers.map(strip) }) },
      claim: requests.length === 0 ? undefined : { devices: { requests: requests.sort((a, b) => compareText(a.name, b.name)) } },
    };
  }

  #backedIn({ initContainers = [], containers }: PodSpec): readonly string[] {
    const all = [...initContainers, ...containers].flatMap((container) => Object.keys(askedBy(container)));
    return [...new Set(all)].filter((resource) => this.#classOf(resource) !== undefined);
  }

  #strip(container: Container): Container {
    const { resources } = container;
    if (resources === undefined) return container;
    const [requests, limits] = [this.#others(resources.requests), this.#others(resources.limits)];
    return { ...container, resources: { ...resources, ...(requests && { requests }), ...(limits && { limits }) } };
  }

  #others(list: ResourceList | undefined): ResourceList | undefined {
    return list && Object.fromEntries(Object.entries(list).filter(([resource]) => this.#classOf(resource) === undefined));
  }

  #classOf(resource: string): string | undefined {
    if (!resource.includes('/')) return undefined;
    if (!this.#known.has(resource)) this.#known.set(resource, this.#readClass(resource)?.metadata.name);
    return this.#known.get(resource);
  }

  #readClass(resource: string): DeviceClass | undefined {
    const found = deviceClassFor(this.#view, resource);
    const isOfPlugin = found !== undefined && isOfPlugins(this.#snapshot, resource) && !hasDevices(this.#snapshot, found);
    return isOfPlugin ? undefined : found;
  }
}

/** The extended resources of a snapshot that DeviceClasses stand for; undefined where there is no class. */
export const extendedResourcesOf = (snapshot: ClusterSnapshot): ExtendedResources | undefined =>
  snapshot.devices === undefined || snapshot.devices.classes.size === 0 ? undefined : new BackedResources(snapshot, snapshot.devices);
