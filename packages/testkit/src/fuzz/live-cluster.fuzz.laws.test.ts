import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { ApiError, type ApiObject } from '@karpenter/api-server';
import { nodeOverlayCrd } from '@karpenter/core/internal';
import fc from 'fast-check';
import { ObjectDrawing, publishedSchemas } from '../arbitraries/drawn-objects.ts';
import { fuzzCases, mutationsOf, withinCaseTimeAsync } from '../arbitraries/mutations.ts';
import { podGroupCrd } from '../stories/pod-group-crd.ts';
import { aStoppedStoryCluster, type StoryCluster } from '../stories/story-cluster.ts';
import { aStoryPool } from '../stories/story-objects.ts';
import { oneOfEachKind } from './one-of-each-kind.ts';
import { CASE_LABEL, mayKeepPodsPending, ordinaryPodsAreServed } from './ordinary-pods.ts';

jest.setTimeout(3_600_000);

const { nodePools, pods, nodes, daemonSets, podDisruptionBudgets, namespaces, ...storage } = oneOfEachKind;
const { persistentVolumeClaims, persistentVolumes, storageClasses, csiNodes, podGroups, ...devices } = storage;
const { resourceSlices, deviceClasses, resourceClaims } = devices;

const nodeClassRef = { group: 'karpenter.simulated.test', kind: 'SimulatedNodeClass', name: 'default' };
const pool = { apiVersion: 'karpenter.sh/v1', kind: 'NodePool', ...nodePools[0] };
const template = { ...pool.spec?.template.spec, nodeClassRef };

/** The pool that ordinary pods get their nodes from. */
const ordinaryPool = (() => {
  const { spec, ...plain } = aStoryPool();
  const { requirements, ...machine } = spec.template.spec;
  const caseLabel = { key: CASE_LABEL, operator: 'Exists' } as const;
  return { ...plain, spec: { ...spec, template: { spec: { ...machine, requirements: [...requirements, caseLabel] } } } };
})();

const inShop = (name: string) => ({ name, namespace: 'shop' });

/** What whoever may write to a cluster gives to Karpenter; pods twice as often. */
const bases = [
  ...pods.map((pod) => ({ apiVersion: 'v1', kind: 'Pod', ...pod })),
  { ...pool, metadata: { name: 'odd' }, spec: { ...pool.spec, template: { ...pool.spec?.template, spec: template } } },
  {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: { name: 'odd', labels: { 'karpenter.sh/nodepool': 'general' } },
    spec: template,
  },
  ...nodes.map((node) => ({ apiVersion: 'v1', kind: 'Node', ...node })),
  ...daemonSets.map((daemonSet) => ({ apiVersion: 'apps/v1', kind: 'DaemonSet', ...daemonSet })),
  ...podDisruptionBudgets.map((budget) => ({ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', ...budget })),
  ...namespaces.map(({ metadata }) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { ...metadata, name: 'odd' } })),
  ...persistentVolumeClaims.map((claim) => ({ apiVersion: 'v1', kind: 'PersistentVolumeClaim', ...claim })),
  ...persistentVolumes.map((volume) => ({ apiVersion: 'v1', kind: 'PersistentVolume', ...volume })),
  ...storageClasses.map((storageClass) => ({ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', ...storageClass })),
  ...csiNodes.map((csiNode) => ({ apiVersion: 'storage.k8s.io/v1', kind: 'CSINode', ...csiNode })),
  ...resourceSlices.map((slice) => ({ apiVersion: 'resource.k8s.io/v1', kind: 'ResourceSlice', ...slice })),
  ...deviceClasses.map((deviceClass) => ({ apiVersion: 'resource.k8s.io/v1', kind: 'DeviceClass', ...deviceClass })),
  ...resourceClaims.map((claim) => ({ apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaim', ...claim })),
  ...pods.slice(2, 3).map(({ metadata, spec }) => ({
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { ...metadata, name: 'with-gpu' } },
    spec: { ...spec, resourceClaims: [{ name: 'gpu', resourceClaimName: 'gpu' }] },
  })),
  {
    ...{ apiVersion: 'karpenter.sh/v1alpha1', kind: 'NodeOverlay', metadata: { name: 'odd' } },
    spec: { requirements: template.requirements, priceAdjustment: '-10%', capacity: { 'example.com/fuse': '10' }, weight: 5 },
  },
  ...pods.slice(2, 3).map((pod) => ({
    ...{ apiVersion: 'v1', kind: 'PodTemplate', metadata: inShop('chunk') },
    template: { metadata: { labels: { app: 'web' } }, spec: pod.spec },
  })),
  {
    ...{ apiVersion: 'autoscaling.x-k8s.io/v1beta1', kind: 'CapacityBuffer', metadata: inShop('spare') },
    spec: { podTemplateRef: { name: 'chunk' }, replicas: 2 },
  },
  { apiVersion: 'karpenter.sh/v1alpha1', kind: 'RebalancePlan', metadata: { name: 'odd' }, spec: { maxMoves: 3 } },
  ...podGroups.map((podGroup) => ({ apiVersion: 'scheduling.x-k8s.io/v1alpha1', kind: 'PodGroup', ...podGroup })),
  ...resourceClaims.map(({ spec }) => ({
    ...{ apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaimTemplate', metadata: inShop('gpus') },
    spec: { spec },
  })),
  {
    ...{ apiVersion: 'storage.k8s.io/v1', kind: 'VolumeAttachment', metadata: { name: 'odd' } },
    spec: { attacher: 'disk', nodeName: 'n1', source: { persistentVolumeName: 'pv-1' } },
  },
  { apiVersion: 'karpenter.simulated.test/v1', kind: 'SimulatedNodeClass', metadata: { name: 'odd' }, spec: { tags: { team: 'a' } } },
] as readonly ApiObject[];

/** What may change of every object. The owner is the odd Node. */
const anyMetadata = {
  ...{ labels: { team: 'a' }, annotations: { note: 'x' }, finalizers: ['example.com/odd'] },
  ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'n1', uid: 'n1' }],
};

/** Of the same kind: the API server refuses an unknown one. */
const mutated = (base: ApiObject): fc.Arbitrary<object> => {
  const { apiVersion, kind, ...rest } = base;
  return mutationsOf(rest).map((parts) => ({ ...(parts as object), apiVersion, kind }));
};

/** An object at its creation, and after its update while it is planned for. */
interface Life {
  readonly first: object;
  readonly then: object;
}

const livesOf = (base: ApiObject, drawn: (base: ApiObject) => fc.Arbitrary<object>): fc.Arbitrary<Life> =>
  fc.record({ first: drawn(base), then: drawn({ ...base, metadata: { ...anyMetadata, ...base.metadata } }) });

const OBJECTS_A_CASE = 8;
let story: StoryCluster;
beforeAll(async () => {
  story = await aStoppedStoryCluster();
  story.local.create(podGroupCrd);
  story.local.create(JSON.parse(JSON.stringify(nodeOverlayCrd)) as ApiObject);
  story.followsOverlays = true;
  story.start();
  await story.create(ordinaryPool);
  story.local.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
  await story.pass(2_000);
});
afterAll(() => story[Symbol.asyncDispose]());

type Sent = ApiObject & { readonly status?: unknown };

const plainOf = (object: object): Partial<Sent> => JSON.parse(JSON.stringify(object)) as Partial<Sent>;
const isNamed = (object: Partial<Sent>): object is Sent => typeof object.metadata?.name === 'string';

/** What the API server makes of it; undefined where it refuses. */
const unlessRefused = <T>(write: () => T): T | undefined => {
  try {
    return write();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return undefined;
  }
};

/** What objects say of their state is written as those write it who report it. */
const withStatus = (live: ApiObject, { status }: Partial<Sent>): ApiObject =>
  (status === undefined ? undefined : unlessRefused(() => story.local.updateStatus({ ...live, status }))) ?? live;

/** Undefined where the API server refuses it. */
const created = (object: Partial<Sent>): ApiObject | undefined => {
  const live = isNamed(object) ? unlessRefused(() => story.local.create(object)) : undefined;
  return live && withStatus(live, object);
};

const keyOf = ({ metadata: { name = '', namespace } }: ApiObject) => ({ name, ...(namespace !== undefined && { namespace }) });

/**
 * Writes the other version in its place; where that is refused as a whole, as most of a pod's spec is, its metadata.
 * Undefined where these are refused, too.
 */
const updated = (live: ApiObject, other: Partial<Sent>): ApiObject | undefined => {
  const { apiVersion, kind } = live;
  const { uid: _uid, creationTimestamp: _time, resourceVersion: _version, ...metadata } = { ...other.metadata };
  const whole = { ...other, apiVersion, kind, metadata: { ...metadata, ...keyOf(live) } };
  const { labels, annotations, finalizers, ownerReferences } = metadata;
  const body = { metadata: { labels, annotations, finalizers, ownerReferences } };
  const written =
    unlessRefused(() => story.local.update(whole)) ??
    unlessRefused(() => story.local.patch<ApiObject>(live, keyOf(live), { type: 'merge', body }));
  return written && withStatus(written, other);
};

const takeAway = (object: ApiObject): void => {
  const key = keyOf(object);
  if (object.kind === 'Namespace' || story.local.get(object, key) === undefined) return;
  story.local.patch(object, key, { type: 'merge', body: { metadata: { finalizers: null } } });
  if (story.local.get(object, key) !== undefined) story.local.delete(object, key, { gracePeriodSeconds: 0 });
};

/** What the cases came to. */
interface Tally {
  /** Of objects that the API server accepted. */
  readonly kinds: Set<string>;
  created: number;
  updated: number;
  cases: number;
  /** Cases in which ordinary pods had to get nodes while the objects were there. */
  served: number;
}

let caseCount = 0;

/** One case: objects come, change while they are planned for, and go. */
const live = async (lives: readonly Life[], tally: Tally): Promise<void> => {
  caseCount += 1;
  tally.cases += 1;
  const made = lives.flatMap(({ first, then }) => {
    const object = created(plainOf(first));
    return object === undefined ? [] : [{ object, then: plainOf(then) }];
  });
  await story.pass(1_000);
  const changed = made.flatMap(({ object, then }) => updated(object, then) ?? []);
  const seen = [...made.map(({ object }) => object), ...changed];
  for (const { kind } of seen) tally.kinds.add(kind);
  tally.created += made.length;
  tally.updated += changed.length;
  if (seen.some(mayKeepPodsPending)) await story.pass(3_000);
  else {
    // Some objects have keys that their printing as texts stumbles over.
    await ordinaryPodsAreServed(story, `c${caseCount}`).catch((cause: unknown) => {
      throw new Error(`beside ${JSON.stringify(seen)}`, { cause });
    });
    tally.served += 1;
  }
  for (const { object } of made) takeAway(object);
  await story.pass(500);
  story.decisions.length = 0;
  expect(story.bugs.splice(0)).toEqual([]);
};

/** Gives the controllers what the API server accepts of such objects, a few at a time. */
const holds = async (lives: fc.Arbitrary<Life>, percent: number): Promise<Tally> => {
  const tally: Tally = { kinds: new Set(), created: 0, updated: 0, cases: 0, served: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(lives, { minLength: OBJECTS_A_CASE, maxLength: OBJECTS_A_CASE }), (drawn) =>
      withinCaseTimeAsync(() => live(drawn, tally), OBJECTS_A_CASE),
    ),
    // A case that waits in vain takes seconds, and each smaller one as long.
    { numRuns: Math.ceil(fuzzCases(percent).numRuns / OBJECTS_A_CASE), endOnFailure: true },
  );
  return tally;
};

describe('what the API server accepts, and what it becomes by updates, triggers no bug in any controller, and beside it ordinary pods get nodes:', () => {
  test('mutated objects', async () => {
    const tally = await holds(fc.oneof(...bases.map((base) => livesOf(base, mutated))), 2);
    expect(tally.created).toBeGreaterThan(10);
    expect(tally.updated).toBeGreaterThan(5);
    expect(tally.served).toBeGreaterThan(tally.cases / 2);
  });

  test('objects drawn from the schemas that the API server publishes', async () => {
    const drawing = new ObjectDrawing(await publishedSchemas(story.url), bases);
    const tally = await holds(fc.oneof(...bases.map((base) => livesOf(base, (each) => drawing.around(each)))), 2);
    expect(tally.created).toBeGreaterThan(40);
    expect(tally.updated).toBeGreaterThan(20);
    expect(tally.kinds.size).toBeGreaterThan(10);
    expect(tally.served).toBeGreaterThan(tally.cases / 2);
  });
});
