import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { ApiError, type KindRef, type ApiObject } from '@karpenter/api-server';
import { nodeOverlayCrd } from '@karpenter/core/internal';
import fc from 'fast-check';
import { ObjectDrawing, publishedSchemas } from '../arbitraries/drawn-objects.ts';
import { fuzzCases, mutationsOf, withinCaseTimeAsync } from '../arbitraries/mutations.ts';
import { podGroupCrd } from '../stories/pod-group-crd.ts';
import { aStoppedStoryCluster, type StoryCluster } from '../stories/story-cluster.ts';
import { aStoryDeployment, aStoryPool } from '../stories/story-objects.ts';
import { oneOfEachKind } from './one-of-each-kind.ts';

jest.setTimeout(3_600_000);

const { nodePools, pods, nodes, daemonSets, podDisruptionBudgets, namespaces, ...storage } = oneOfEachKind;
const { persistentVolumeClaims, persistentVolumes, storageClasses, csiNodes, podGroups, ...devices } = storage;
const { resourceSlices, deviceClasses, resourceClaims } = devices;

const nodeClassRef = { group: 'karpenter.simulated.test', kind: 'SimulatedNodeClass', name: 'default' };
const pool = { apiVersion: 'karpenter.sh/v1', kind: 'NodePool', ...nodePools[0] };
const template = { ...pool.spec?.template.spec, nodeClassRef };

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

/** Of the same kind: another would be refused, because it is none. */
const mutated = (base: ApiObject): fc.Arbitrary<object> => {
  const { apiVersion, kind, ...rest } = base;
  return mutationsOf(rest).map((parts) => ({ ...(parts as object), apiVersion, kind }));
};

const OBJECTS_A_CASE = 8;
let story: StoryCluster;
beforeAll(async () => {
  story = await aStoppedStoryCluster();
  story.local.create(podGroupCrd);
  story.local.create(JSON.parse(JSON.stringify(nodeOverlayCrd)) as ApiObject);
  story.followsOverlays = true;
  story.start();
  await story.create(aStoryPool());
  story.local.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
  await story.pass(2_000);
});
afterAll(() => story[Symbol.asyncDispose]());

const isNamed = (object: unknown): object is ApiObject => typeof (object as Partial<ApiObject> | null)?.metadata?.name === 'string';

/** What the API server makes of it; undefined where it refuses. */
const unlessRefused = <T>(write: () => T): T | undefined => {
  try {
    return write();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return undefined;
  }
};

/** The objects that the API server accepts. What they say of their state is written as those write it who report it. */
const accepted = (objects: readonly unknown[]): readonly ApiObject[] =>
  objects.filter(isNamed).flatMap((object) => {
    const sent = JSON.parse(JSON.stringify(object)) as ApiObject & { readonly status?: unknown };
    const made = unlessRefused(() => story.local.create(sent));
    if (made === undefined) return [];
    const { status } = sent;
    if (status !== undefined) unlessRefused(() => story.local.updateStatus({ ...made, status }));
    return [made];
  });

const takeAway = ({ apiVersion, kind, metadata }: ApiObject): void => {
  const { name = '', namespace } = metadata;
  const key = { name, ...(namespace !== undefined && { namespace }) };
  const ref: KindRef<ApiObject> = { apiVersion, kind };
  if (kind === 'Namespace' || story.local.get(ref, key) === undefined) return;
  story.local.patch(ref, key, { type: 'merge', body: { metadata: { finalizers: null } } });
  if (story.local.get(ref, key) !== undefined) story.local.delete(ref, key, { gracePeriodSeconds: 0 });
};

const running = async (): Promise<number> =>
  (await story.pods()).filter((pod) => (pod as { status?: { phase?: string } }).status?.phase === 'Running').length;

/** Kind → how many objects of it the API server accepted. */
type Accepted = Map<string, number>;

/** Gives the controllers what the API server accepts of such objects, a few at a time. */
const holds = async (objects: fc.Arbitrary<object>, percent: number): Promise<Accepted> => {
  const counts: Accepted = new Map();
  await fc.assert(
    fc.asyncProperty(fc.array(objects, { minLength: OBJECTS_A_CASE, maxLength: OBJECTS_A_CASE }), (drawn) =>
      withinCaseTimeAsync(async () => {
        const made = accepted(drawn);
        for (const { kind } of made) counts.set(kind, (counts.get(kind) ?? 0) + 1);
        await story.pass(4_000);
        for (const object of made) takeAway(object);
        await story.pass(500);
        story.decisions.length = 0;
        expect(story.bugs.splice(0)).toEqual([]);
      }, OBJECTS_A_CASE),
    ),
    { numRuns: Math.ceil(fuzzCases(percent).numRuns / OBJECTS_A_CASE) },
  );
  return counts;
};

const countOf = (counts: Accepted): number => [...counts.values()].reduce((sum, count) => sum + count, 0);

const ordinaryPodsRun = async (): Promise<void> => {
  const isGone = async (): Promise<boolean> => (await running()) === 0;
  await story.create(aStoryDeployment(5));
  await story.until('five ordinary pods run', async () => (await running()) >= 5, 300_000);
  await story.kube.delete('Deployment', { namespace: 'default', name: aStoryDeployment(5).metadata.name });
  await story.until('they are gone', isGone);
};

describe('what the API server accepts triggers no bug in any controller, and ordinary pods get nodes once it is gone:', () => {
  test('mutated objects', async () => {
    expect(countOf(await holds(fc.oneof(...bases.map(mutated)), 2))).toBeGreaterThan(10);
    await ordinaryPodsRun();
  });

  test('objects drawn from the schemas that the API server publishes', async () => {
    const drawing = new ObjectDrawing(await publishedSchemas(story.url), bases);
    const counts = await holds(fc.oneof(...bases.map((base) => drawing.around(base))), 2);
    expect(countOf(counts)).toBeGreaterThan(40);
    expect(counts.size).toBeGreaterThan(10);
    await ordinaryPodsRun();
  });
});
