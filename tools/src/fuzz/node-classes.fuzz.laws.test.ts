import { expect, jest, test } from '@jest/globals';
import { ApiError, type ApiObject } from '@karpenter/api-server';
import { fuzzCases, ObjectDrawing, publishedSchemas, withinCaseTimeAsync } from '@karpenter/testkit';
import fc from 'fast-check';
import { aDeployment, aNodeClass, aPool } from '../../../apps/controller/src/testing/clusters/objects.ts';
import { claimsOf, isRunning, podsOf } from '../../../apps/controller/src/testing/clusters/cluster-census.ts';
import { settled } from '../../../apps/controller/src/testing/stories/story-ends.ts';
import { type Story, startStoryIn } from '../../../apps/controller/src/testing/stories/story.ts';
import { aFullNodeClass } from '../../../packages/azure/src/testing/a-full-node-class.ts';

jest.setTimeout(3_600_000);

// There is no such subnet in the Azure of the story, and its subscription has no encryption at the host.
const { vnetSubnetID: _, ...spec } = aFullNodeClass.spec;
const plain = {
  ...aFullNodeClass,
  spec: { ...spec, security: { ...spec.security, encryptionAtHost: false } },
} as Partial<ApiObject> as ApiObject;

const CLASSES_A_CASE = 20;

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

interface Reporting extends ApiObject {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message?: string }[] };
}

/** Whether the condition is not met, and says why. */
const saysWhyNot = ({ status }: Reporting, condition: string): boolean =>
  status?.conditions?.some(({ type, status: is, message = '' }) => type === condition && is !== 'True' && message !== '') ?? false;

/** The class, its pool or one of the pool's claims says why no pod of the pool runs. */
const isExplained = ({ cluster }: Story, name: string): boolean => {
  const owners = [plain, aPool()].map(({ apiVersion, kind }) => cluster.local.get<Reporting>({ apiVersion, kind }, { name }));
  const isNot = (owner: Reporting): boolean => saysWhyNot(owner, 'Ready') || saysWhyNot(owner, 'NodeRegistrationHealthy');
  if (owners.some((owner) => owner !== undefined && isNot(owner))) return true;
  return claimsOf(cluster).some((claim) => claim.metadata.labels?.['karpenter.sh/nodepool'] === name && saysWhyNot(claim, 'Launched'));
};

/** Names of classes whose pod neither runs nor is known not to. */
const unservedIn = (story: Story, classes: readonly ApiObject[]): readonly string[] =>
  classes
    .map(({ metadata: { name = '' } }) => name)
    .filter((name) => !podsOf(story.cluster, name).some(isRunning) && !isExplained(story, name));

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

test('AKSNodeClasses drawn from their schema trigger no bug: ordinary pods get machines, and those of a class, unless something says why not', async () => {
  await using story = await startStoryIn({}, aNodeClass, aPool([{ key: 'example.com/case', operator: 'Exists' }]));
  const drawing = new ObjectDrawing(await publishedSchemas(story.cluster.apiUrl), [plain]);
  let [cases, accepted, running] = [0, 0, 0];
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
        await story.until('an ordinary pod runs', () => podsOf(story.cluster, ordinary.metadata.name).some(isRunning));
        const served = (): boolean => unservedIn(story, classes).length === 0;
        await story.until('the pod of each class runs, or something says why not', served).catch((cause: unknown) => {
          throw new Error(`${unservedIn(story, classes).join()} of ${JSON.stringify(classes)}`, { cause });
        });
        await story.pass(15_000);
        running += classes.filter(({ metadata: { name } }) => podsOf(story.cluster, name).some(isRunning)).length;
        for (const object of [ordinary, ...users, ...classes]) remove(story, object);
        await story.pass(30_000);
        story.lines.length = 0;
        expect(story.bugs).toEqual([]);
      }, CLASSES_A_CASE),
    ),
    // Each smaller case would wait for eight minutes of the cluster's time again.
    { numRuns: Math.ceil(fuzzCases(0.2).numRuns / CLASSES_A_CASE), endOnFailure: true },
  );
  expect(accepted).toBeGreaterThan(3);
  expect(running).toBeGreaterThan(accepted / 4);
  story.create(aDeployment({ replicas: 1 }));
  await settled(story, 1, 1);
});
