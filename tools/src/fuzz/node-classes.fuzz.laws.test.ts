import { expect, jest, test } from '@jest/globals';
import { ApiError, type ApiObject } from '@karpenter/api-server';
import { fuzzCases, ObjectDrawing, publishedSchemas, withinCaseTimeAsync } from '@karpenter/testkit';
import fc from 'fast-check';
import { aDeployment, aNodeClass, aPool } from '../../../apps/controller/src/testing/clusters/objects.ts';
import { isRunning, podsOf } from '../../../apps/controller/src/testing/clusters/cluster-census.ts';
import { settled } from '../../../apps/controller/src/testing/stories/story-ends.ts';
import { type Story, startStoryIn } from '../../../apps/controller/src/testing/stories/story.ts';
import { aFullNodeClass } from '../../../packages/azure/src/testing/a-full-node-class.ts';

jest.setTimeout(3_600_000);

// There is no such subnet in the Azure of the story.
const { vnetSubnetID: _, ...spec } = aFullNodeClass.spec;
const plain: ApiObject = { ...aFullNodeClass, spec } as ApiObject;

const CLASSES_A_CASE = 4;

/** The class under this name; undefined where the API server refuses it. */
const created = ({ cluster }: Story, drawn: ApiObject, name: string): ApiObject | undefined => {
  try {
    return cluster.local.create(JSON.parse(JSON.stringify({ ...drawn, metadata: { ...drawn.metadata, name } })) as ApiObject);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return undefined;
  }
};

/** A pool of the class, and a pod that only its nodes take. */
const userOf = (name: string): readonly ApiObject[] => {
  const pool = aPool();
  const nodeClassRef = { ...pool.spec.template.spec.nodeClassRef, name };
  const template = { ...pool.spec.template, spec: { ...pool.spec.template.spec, nodeClassRef } };
  return [
    { ...pool, metadata: { name }, spec: { ...pool.spec, template } } as ApiObject,
    aDeployment({ name, replicas: 1, podSpec: { nodeSelector: { 'karpenter.sh/nodepool': name } } }),
  ];
};

/** Each case has a name of its own in the pool's label, so that no machine of another case serves its pod. */
const ordinaryPod = (number: number): ApiObject =>
  aDeployment({
    name: `ordinary-${number}`,
    replicas: 1,
    podSpec: { nodeSelector: { 'karpenter.sh/nodepool': 'general', 'example.com/case': `c${number}` } },
  });

const remove = ({ cluster: { local } }: Story, { apiVersion, kind, metadata }: ApiObject): void => {
  const { name = '', namespace } = metadata;
  const key = { name, ...(namespace !== undefined && { namespace }) };
  if (local.get({ apiVersion, kind }, key) !== undefined) local.delete({ apiVersion, kind }, key, { propagationPolicy: 'Background' });
};

test('AKSNodeClasses drawn from their schema trigger no bug, and beside them ordinary pods get machines', async () => {
  await using story = await startStoryIn({}, aNodeClass, aPool([{ key: 'example.com/case', operator: 'Exists' }]));
  const drawing = new ObjectDrawing(await publishedSchemas(story.cluster.apiUrl), [plain]);
  let [cases, accepted] = [0, 0];
  await fc.assert(
    fc.asyncProperty(fc.array(drawing.around(plain), { minLength: CLASSES_A_CASE, maxLength: CLASSES_A_CASE }), (drawn) =>
      withinCaseTimeAsync(async () => {
        cases += 1;
        const classes = drawn.flatMap((each, index) => created(story, each, `odd-${cases}-${index}`) ?? []);
        accepted += classes.length;
        const users = classes.flatMap(({ metadata }) => userOf(metadata.name ?? ''));
        story.create(...users);
        const ordinary = ordinaryPod(cases);
        story.create(ordinary);
        await story.pass(60_000);
        await story.until('an ordinary pod runs', () => podsOf(story.cluster, ordinary.metadata.name).some(isRunning));
        for (const object of [ordinary, ...users, ...classes]) remove(story, object);
        await story.pass(30_000);
        story.lines.length = 0;
        expect(story.bugs).toEqual([]);
      }, CLASSES_A_CASE),
    ),
    { numRuns: Math.ceil(fuzzCases(0.2).numRuns / CLASSES_A_CASE) },
  );
  expect(accepted).toBeGreaterThan(3);
  story.create(aDeployment({ replicas: 1 }));
  await settled(story, 1, 1);
});
