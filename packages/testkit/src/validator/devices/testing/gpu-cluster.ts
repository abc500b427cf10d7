import type { InstanceType, Pod } from '@karpenter/core';
import {
  type Device,
  type DeviceClass,
  type DeviceView,
  deviceViewOf,
  type DynamicResources,
  type NodeView,
  type ResourceClaim,
  type ResourceClaimSpec,
  type ResourceSlice,
} from '@karpenter/core/internal';
import { aNode, anInstanceType, aPod, requesting } from '../../../builders/index.ts';

export const DRIVER = 'gpu.example.com';

type Requests = NonNullable<NonNullable<ResourceClaimSpec['devices']>['requests']>;
type Exact = NonNullable<Requests[number]['exactly']>;
type Constraints = NonNullable<NonNullable<ResourceClaimSpec['devices']>['constraints']>;

/** A request for devices of the class `gpu`. */
export const request = (name: string, exactly: Partial<Exact> = {}): Requests[number] => ({
  name,
  exactly: { deviceClassName: 'gpu', ...exactly },
});

export const claimOf = (name: string, requests: Requests, constraints: Constraints = []): ResourceClaim => ({
  metadata: { name, namespace: 'default', uid: `claim-${name}` },
  spec: { devices: { requests, constraints } },
});

/** A claim with devices of the pool `pool`, reserved for some pods. */
export const allocated = (claim: ResourceClaim, devices: readonly string[], pods: readonly Pod[]): ResourceClaim => ({
  ...claim,
  status: {
    allocation: { devices: { results: devices.map((device) => ({ request: 'r', driver: DRIVER, pool: 'pool', device })) } },
    reservedFor: pods.map(({ metadata }) => ({ resource: 'pods', name: metadata.name, uid: metadata.uid ?? '' })),
  },
});

/** A small pod that uses these claims. */
export const usingClaims = (...claims: readonly ResourceClaim[]): Pod => {
  const pod = aPod(requesting({ cpuMillis: 100 }));
  const resourceClaims = claims.map(({ metadata }) => ({ name: metadata.name, resourceClaimName: metadata.name }));
  return { ...pod, spec: { ...pod.spec, resourceClaims } };
};

/** So many devices, `gpu-0` first. */
export const gpus = (count: number, traits: (index: number) => Partial<Device> = () => ({})): readonly Device[] =>
  Array.from({ length: count }, (_, index) => ({ name: `gpu-${index}`, ...traits(index) }));

/** An instance type whose machines publish these devices. */
export const typeWith = (
  name: string,
  devices: readonly Device[],
  { cpus = 4, ...rest }: Partial<DynamicResources> & { readonly cpus?: number } = {},
): InstanceType => ({
  ...anInstanceType({ name, cpus }),
  dynamicResources: { resourceSliceTemplates: [{ driver: DRIVER, pool: 'gpus', devices }], ...rest },
});

/** A node of the pool `default` that comes up as a machine of the type, `here` unless it says its name. */
export const nodeOnItsWay = (instanceType: string, view: Partial<NodeView> = {}): NodeView => {
  const node = aNode({
    ...{ name: 'here', nodePoolName: 'default', isInitialized: false },
    labels: { 'node.kubernetes.io/instance-type': instanceType },
  });
  const nodeClassRef = { group: 'example.com', kind: 'NodeClass', name: 'default' };
  const claim = {
    ...({ apiVersion: 'karpenter.sh/v1', kind: 'NodeClaim', metadata: { name: `claim-${node.name}` } } as const),
    ...{ spec: { requirements: [], nodeClassRef }, status: { providerID: `test:///${node.name}` } },
  };
  return { ...node, claim, ...view };
};

/** Devices that are published. Unless the spec says where they are, all nodes reach them. */
export const sliceOf = (
  devices: readonly Device[],
  { name = 'pool', ...spec }: Partial<ResourceSlice['spec']> & { readonly name?: string } = {},
): ResourceSlice => ({
  metadata: { name },
  spec: { driver: DRIVER, pool: { name, resourceSliceCount: 1 }, ...(Object.keys(spec).length === 0 ? { allNodes: true } : spec), devices },
});

const gpuClass: DeviceClass = {
  metadata: { name: 'gpu' },
  spec: { selectors: [{ cel: { expression: `device.driver == "${DRIVER}"` } }] },
};

/** The class `gpu`, the claims and the slices. */
export const devicesOf = (resourceClaims: readonly ResourceClaim[], resourceSlices: readonly ResourceSlice[] = []): DeviceView =>
  deviceViewOf({ deviceClasses: [gpuClass], resourceClaims, resourceClaimTemplates: [], resourceSlices });
