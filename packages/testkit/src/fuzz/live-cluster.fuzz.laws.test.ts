import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { ApiError, type KindRef, type ApiObject } from '@karpenter/api-server';
import fc from 'fast-check';
import { fuzzCases, mutationsOf } from '../arbitraries/mutations.ts';
import { aStoryCluster, type StoryCluster } from '../stories/story-cluster.ts';
import { aStoryDeployment, aStoryPool } from '../stories/story-objects.ts';
import { oneOfEachKind } from './one-of-each-kind.ts';

jest.setTimeout(3_600_000);

const { nodePools, pods, nodes, daemonSets, podDisruptionBudgets, namespaces, ...storage } = oneOfEachKind;
const { persistentVolumeClaims, persistentVolumes, storageClasses, csiNodes, resourceSlices, deviceClasses, resourceClaims } = storage;

const nodeClassRef = { group: 'karpenter.simulated.test', kind: 'SimulatedNodeClass', name: 'default' };
const pool = { apiVersion: 'karpenter.sh/v1', kind: 'NodePool', ...nodePools[0] };
const template = { ...pool.spec?.template.spec, nodeClassRef };

/** What whoever may write to a cluster gives to Karpenter; pods twice as often. */
const bases: readonly object[] = [
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
];

/** Of the same kind: another would be refused, because it is none. */
const mutated = (base: object): fc.Arbitrary<object> => {
  const { apiVersion, kind, ...rest } = base as ApiObject;
  return mutationsOf(rest).map((parts) => ({ ...(parts as object), apiVersion, kind }));
};

const OBJECTS_A_CASE = 8;
let story: StoryCluster;
beforeAll(async () => {
  story = await aStoryCluster();
  await story.create(aStoryPool());
  story.local.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
  await story.pass(2_000);
});
afterAll(() => story[Symbol.asyncDispose]());

const isNamed = (object: unknown): object is ApiObject => typeof (object as Partial<ApiObject> | null)?.metadata?.name === 'string';

/** The objects that the API server accepts. */
const accepted = (objects: readonly unknown[]): readonly ApiObject[] =>
  objects.filter(isNamed).flatMap((object) => {
    try {
      return [story.local.create(JSON.parse(JSON.stringify(object)) as ApiObject)];
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return [];
    }
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

test('objects that the API server accepts trigger no bug in any controller, and ordinary pods get nodes beside them', async () => {
  let count = 0;
  const objects = fc.array(fc.oneof(...bases.map(mutated)), { minLength: OBJECTS_A_CASE, maxLength: OBJECTS_A_CASE });
  await fc.assert(
    fc.asyncProperty(objects, async (drawn) => {
      const made = accepted(drawn);
      count += made.length;
      await story.pass(4_000);
      for (const object of made) takeAway(object);
      await story.pass(500);
      story.decisions.length = 0;
      expect(story.bugs.splice(0)).toEqual([]);
    }),
    { numRuns: Math.ceil(fuzzCases(2).numRuns / OBJECTS_A_CASE) },
  );
  expect(count).toBeGreaterThan(10);
  await story.create(aStoryDeployment(5));
  await story.until('five ordinary pods run', async () => (await running()) >= 5, 300_000);
});
