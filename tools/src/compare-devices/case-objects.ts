import type { Container, DeviceAllocationResult, DeviceNodeSelector, ResourceClaim, ResourceClaimSpec } from '@karpenter/core/internal';
import type { KubeObject } from '@karpenter/runtime';
import { CARD, CASE_DRIVER } from './device-cases.ts';
import type { CardContainer, DeviceCase } from './device-cases.ts';

/** An object with whatever it has. */
export type AnyObject = KubeObject & { readonly spec?: object; readonly status?: object };

const apiVersion = 'resource.k8s.io/v1';
const namespace = 'default';

const secondNode = (name: string): string => `${name}-second`;

/** The case with a driver, a class and nodes of its own, so that many can be tried in one cluster. */
export const ownCase = (name: string, text: DeviceCase): DeviceCase =>
  JSON.parse(
    JSON.stringify(text)
      .replaceAll(CASE_DRIVER, `${name}.example.com`)
      .replaceAll('"here"', `"${name}"`)
      .replaceAll('"there"', `"${secondNode(name)}"`)
      .replaceAll('"gpu"', `"${name}"`),
  ) as DeviceCase;

const driverOf = (name: string): string => `${name}.example.com`;
const cardOf = (name: string): string => CARD.replace(CASE_DRIVER, driverOf(name));

/** What there is before any pod: the class, the nodes and their slices. */
export const standingObjects = (name: string, { slices, plugin, hasTwoNodes = false }: DeviceCase): readonly AnyObject[] => [
  {
    ...{ apiVersion, kind: 'DeviceClass', metadata: { name } },
    spec: { selectors: [{ cel: { expression: `device.driver == "${driverOf(name)}"` } }], extendedResourceName: cardOf(name) },
  },
  ...(hasTwoNodes ? [name, secondNode(name)] : [name]).map((node) => ({
    ...{ apiVersion: 'v1', kind: 'Node', metadata: { name: node, labels: { case: name } } },
    status: {
      conditions: [{ type: 'Ready', status: 'True' }],
      allocatable: { cpu: '64', memory: '64Gi', pods: '110', ...(plugin === undefined ? {} : { [cardOf(name)]: String(plugin) }) },
    },
  })),
  ...slices.map((spec, index) => ({ apiVersion, kind: 'ResourceSlice', metadata: { name: `${name}-${index}` }, spec })),
];

export const caseClaimName = (name: string, index: number): string => `${name}-claim-${index}`;

export const claimObject = (name: string, spec: ResourceClaimSpec): ResourceClaim & KubeObject => ({
  ...{ apiVersion, kind: 'ResourceClaim', metadata: { name, namespace } },
  spec,
});

const containerOf = ({ kind, cards }: CardContainer, index: number, resource: string): Container => ({
  ...{ name: `c${index}`, image: 'none' },
  ...(cards === 0 ? {} : { resources: { requests: { [resource]: String(cards) }, limits: { [resource]: String(cards) } } }),
  ...(kind === 'sidecar' ? { restartPolicy: 'Always' } : {}),
});

export const podName = (name: string, index: number): string => `${name}-pod-${index}`;

/** A pod of the case. Only its nodes will do, which it goes to whatever their state. */
export const podObject = (name: string, { pods }: DeviceCase, index: number): AnyObject & { readonly spec: object } => {
  const { claims = [], containers = [] } = pods[index] ?? {};
  const all = containers.map((each, at) => ({ each, container: containerOf(each, at, cardOf(name)) }));
  const main = all.filter(({ each }) => each.kind === 'main').map(({ container }) => container);
  const init = all.filter(({ each }) => each.kind !== 'main').map(({ container }) => container);
  return {
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: podName(name, index), namespace } },
    spec: {
      ...{ nodeSelector: { case: name }, tolerations: [{ operator: 'Exists' }], terminationGracePeriodSeconds: 0 },
      ...{ initContainers: init, containers: main.length > 0 ? main : [{ name: 'main', image: 'none' }] },
      resourceClaims: claims.map((claim) => ({ name: `claim-${claim}`, resourceClaimName: caseClaimName(name, claim) })),
    },
  };
};

/** What kube-scheduler did with one pod. */
export interface PodVerdict {
  readonly isPlaced: boolean;
  /** Absent: on the first node, or on none. */
  readonly node?: string;
  /** Claim → the devices that it has got. Extended resources have a claim that the scheduler names. */
  readonly allocations: Readonly<Record<string, readonly DeviceAllocationResult[]>>;
  /** Claim → the nodes where its devices can be used; null: everywhere. */
  readonly nodes?: Readonly<Record<string, DeviceNodeSelector | null>>;
}

/** The claims that earlier pods left allocated, by their names. */
export const settledClaims = (answers: readonly PodVerdict[]): Readonly<Record<string, readonly DeviceAllocationResult[]>> =>
  Object.assign({}, ...answers.map(({ allocations }) => allocations)) as PodVerdict['allocations'];
