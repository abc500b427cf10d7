import { type Node, type Pod, simulate, snapshotOf } from '@karpenter/core';
import type { DeviceAllocationResult, DeviceClass, DeviceNodeSelector, ResourceClaim, ResourceSlice } from '@karpenter/core/internal';
import { fakeClock, type KubeObject } from '@karpenter/runtime';
import type { LocalApi } from '../../../packages/api-server/src/public/index.ts';
import { startLocalApi } from '../../../packages/api-server/src/local/create-local-api.ts';
import { deviceClaims } from '../../../packages/simulator/src/cluster/objects/device.ts';
import type { DeviceClaim } from '../../../packages/simulator/src/cluster/objects/device.ts';
import { podKind } from '../../../packages/simulator/src/cluster/objects/pod.ts';
import { startBinder } from '../../../packages/simulator/src/cluster/scheduler/binder.ts';
import type { AnyObject, PodVerdict } from './case-objects.ts';
import { caseClaimName, claimObject, ownCase, podName, podObject, settledClaims, standingObjects } from './case-objects.ts';
import type { DeviceCase } from './device-cases.ts';

/** A pod of a case, and what was answered to the pods before it. */
export interface PodQuestion {
  readonly asked: DeviceCase;
  readonly before: readonly PodVerdict[];
}

const NAME = 'case';
const namespace = 'default';

type Claim = ResourceClaim & KubeObject;

interface Settled {
  readonly standing: readonly AnyObject[];
  readonly claims: readonly Claim[];
  /** Those that are on the nodes already, and the one to place. */
  readonly running: readonly AnyObject[];
  readonly pod: AnyObject;
}

/**
 * What a claim was given before. `nodes`: where its devices can be used, null for everywhere, absent where that was not
 * recorded.
 */
interface Given {
  readonly results: readonly DeviceAllocationResult[];
  readonly nodes: DeviceNodeSelector | null | undefined;
}

const ON_NODE: DeviceNodeSelector = { nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [NAME] }] }] };

const withAllocation = (claim: Claim, { results, nodes = ON_NODE }: Given, user: string): Claim => ({
  ...claim,
  status: {
    allocation: {
      devices: { results },
      ...(nodes && { nodeSelector: nodes }),
    },
    reservedFor: [{ resource: 'pods', name: user, uid: user }],
  },
});

/** The answer to a case was given under another name. */
export const withNeutralNames = (answer: PodVerdict): PodVerdict =>
  JSON.parse(JSON.stringify(answer).replaceAll(/case-\d+/g, NAME)) as PodVerdict;

const settle = ({ asked: given, before }: PodQuestion): Settled => {
  const asked = ownCase(NAME, given);
  const answers = before.map(withNeutralNames);
  const settled = settledClaims(answers);
  const own = asked.claims.map((spec, index) => claimObject(caseClaimName(NAME, index), spec));
  const names = new Set(own.map(({ metadata }) => metadata.name));
  const made = Object.keys(settled).flatMap((name) => (names.has(name) ? [] : [claimObject(name, { devices: {} })]));
  const running = answers.flatMap(({ isPlaced, node = NAME, allocations }, index) => {
    if (!isPlaced) return [];
    const pod = podObject(NAME, asked, index);
    const resourceClaimName = Object.keys(allocations).find((name) => !names.has(name));
    const extendedResourceClaimStatus = { resourceClaimName, requestMappings: [] };
    return [
      {
        ...{ ...pod, metadata: { ...pod.metadata, uid: pod.metadata.name }, spec: { ...pod.spec, nodeName: node } },
        status: { phase: 'Running', ...(resourceClaimName === undefined ? {} : { extendedResourceClaimStatus }) },
      },
    ];
  });
  const userOf = (claim: string): string =>
    podName(
      NAME,
      answers.findIndex(({ allocations }) => claim in allocations),
    );
  return {
    standing: standingObjects(NAME, asked),
    claims: [...own, ...made].map((claim) => {
      const results = settled[claim.metadata.name];
      const nodes = answers.findLast((answer) => claim.metadata.name in (answer.nodes ?? {}))?.nodes?.[claim.metadata.name];
      return results === undefined ? claim : withAllocation(claim, { results, nodes }, userOf(claim.metadata.name));
    }),
    running,
    pod: podObject(NAME, asked, before.length),
  };
};

const createIn = (api: LocalApi, object: AnyObject): void => {
  const created = api.create(object);
  if (object.status !== undefined) api.updateStatus({ ...created, status: object.status });
};

type WaitingResult = DeviceAllocationResult & { readonly bindingConditions?: readonly string[] };

/** Meets the binding conditions of allocated devices, as their driver would. */
const meetConditions = (api: LocalApi, claim: DeviceClaim): void => {
  const results: readonly WaitingResult[] = claim.status?.allocation?.devices?.results ?? [];
  const devices = results.flatMap(({ driver, pool, device, bindingConditions = [] }) =>
    bindingConditions.length === 0
      ? []
      : [{ driver, pool, device, conditions: bindingConditions.map((type) => ({ type, status: 'True', reason: 'Met', message: '' })) }],
  );
  if (devices.length === 0) return;
  const status = { ...claim.status, devices };
  api.updateStatus({ ...claim, status });
};

/** What the embedded cluster's scheduler does with the pod. */
export const embeddedAnswer = async (question: PodQuestion): Promise<PodVerdict> => {
  const { standing, claims, running, pod } = settle(question);
  const clock = fakeClock();
  const api = startLocalApi(clock);
  using _ = startBinder(api, clock);
  for (const object of [...standing, ...claims, ...running, pod]) createIn(api, object);
  await clock.advance(5_000);
  for (const claim of api.list(deviceClaims)) meetConditions(api, claim);
  await clock.advance(10_000);
  const { name } = pod.metadata;
  const bound = api.get(podKind, { namespace, name });
  const isPlaced = bound?.spec.nodeName !== undefined;
  const users = api.list(deviceClaims).filter(({ status }) => status?.reservedFor?.some((user) => user.name === name));
  return {
    isPlaced,
    allocations: Object.fromEntries(users.map(({ metadata, status }) => [metadata.name ?? '', status?.allocation?.devices?.results ?? []])),
    nodes: Object.fromEntries(users.map(({ metadata, status }) => [metadata.name ?? '', status?.allocation?.nodeSelector ?? null])),
  };
};

type ObjectOf<K extends keyof Kinds> = AnyObject & Kinds[K];

interface Kinds {
  readonly Node: Node;
  readonly DeviceClass: DeviceClass;
  readonly ResourceSlice: ResourceSlice;
  readonly Pod: Pod;
}

const ofKind = <K extends keyof Kinds>(objects: readonly AnyObject[], kind: K): readonly ObjectOf<K>[] =>
  objects.filter((each): each is ObjectOf<K> => each.kind === kind);

/** Whether a plan places the pod on the node. */
export const isPlanned = (question: PodQuestion): boolean => {
  const { standing, claims, running, pod } = settle(question);
  const snapshot = snapshotOf({
    nodePools: [],
    instanceTypes: [],
    nodes: ofKind(standing, 'Node'),
    deviceClasses: ofKind(standing, 'DeviceClass'),
    resourceSlices: ofKind(standing, 'ResourceSlice'),
    resourceClaims: claims,
    pods: ofKind([...running, pod], 'Pod'),
  });
  return simulate(snapshot).placements.size > 0;
};
