import type { Pod } from '@karpenter/core';
import type { DeviceAllocationResult, ResourceClaim } from '@karpenter/core/internal';
import type { KubeObject } from '@karpenter/runtime';
import { eventually, startControlPlanePrograms } from '@karpenter/kube-api-contract/programs';
import type { Body, RawKubeClient } from '../../../packages/kube-api-contract/src/kube-client.ts';
import { createRawKubeClient } from '../../../packages/kube-api-contract/src/kube-client.ts';
import type { AnyObject, PodVerdict } from './case-objects.ts';
import { caseClaimName, claimObject, ownCase, podName, podObject, standingObjects } from './case-objects.ts';
import type { DeviceCase } from './device-cases.ts';

/** Gates that Kubernetes 1.35 does not turn on by itself. */
const GATES = ['DRAConsumableCapacity', 'DRADeviceBindingConditions', 'DRADeviceTaints', 'DRAExtendedResource', 'DRAPartitionableDevices'];

const NAMESPACE = '/api/v1/namespaces/default';
const PODS = `${NAMESPACE}/pods`;
const CLAIMS = '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims';

const PATHS: Readonly<Record<string, string>> = {
  DeviceClass: '/apis/resource.k8s.io/v1/deviceclasses',
  ResourceSlice: '/apis/resource.k8s.io/v1/resourceslices',
  ResourceClaim: CLAIMS,
  Node: '/api/v1/nodes',
  Pod: PODS,
};

/** Creates an object; false where the API server refuses it. */
const create = async (client: RawKubeClient, object: AnyObject): Promise<boolean> => {
  const { status, body } = await client.call(PATHS[object.kind] ?? '', { method: 'POST', body: object });
  if (status !== 201) console.log(`${object.metadata.name}: ${String(body['message'])}`);
  return status === 201;
};

const createAll = async (client: RawKubeClient, objects: readonly AnyObject[]): Promise<boolean> => {
  for (const object of objects) if (!(await create(client, object))) return false;
  return true;
};

const list = async <T>(client: RawKubeClient, path: string): Promise<readonly (T & KubeObject)[]> =>
  ((await client.call(path)).body as Body & { readonly items: readonly (T & KubeObject)[] }).items;

interface Seen {
  readonly pods: ReadonlyMap<string, Pod & KubeObject>;
  readonly claims: ReadonlyMap<string, ResourceClaim & KubeObject>;
}

const readAnswers = async (client: RawKubeClient): Promise<Seen> => {
  const [pods, claims] = [await list<Pod>(client, PODS), await list<ResourceClaim>(client, CLAIMS)];
  return {
    pods: new Map(pods.map((pod) => [pod.metadata.name, pod])),
    claims: new Map(claims.map((claim) => [claim.metadata.name, claim])),
  };
};

interface Question {
  readonly name: string;
  readonly asked: DeviceCase;
  readonly answers: PodVerdict[];
}

/** The claims of a pod: those that it names, and those that were made for it. */
const claimsOf = ({ name, asked }: Question, index: number, { claims }: Seen): readonly (ResourceClaim & KubeObject)[] => {
  const own = (asked.pods[index]?.claims ?? []).flatMap((claim) => claims.get(caseClaimName(name, claim)) ?? []);
  const isMade = ({ metadata }: KubeObject): boolean =>
    metadata.ownerReferences?.some((owner) => owner.name === podName(name, index)) === true;
  return [...own, ...[...claims.values()].filter(isMade)];
};

/** What of a result others are short of. */
const shortResult = ({ request, driver, pool, device, adminAccess, consumedCapacity }: DeviceAllocationResult): DeviceAllocationResult => ({
  ...{ request, driver, pool, device },
  ...(adminAccess === undefined ? {} : { adminAccess }),
  ...(consumedCapacity === undefined ? {} : { consumedCapacity }),
});

/** Undefined while the scheduler has not decided. */
const answerOf = (question: Question, index: number, seen: Seen): PodVerdict | undefined => {
  const pod = seen.pods.get(podName(question.name, index));
  const refusal = pod?.status?.conditions?.find(({ type, status }) => type === 'PodScheduled' && status === 'False');
  if (pod?.spec.nodeName === undefined) return refusal && { isPlaced: false, allocations: {} };
  const claims = claimsOf(question, index, seen);
  const allocations = Object.fromEntries(
    claims.map(({ metadata, status }) => [metadata.name, (status?.allocation?.devices?.results ?? []).map(shortResult)]),
  );
  const nodes = Object.fromEntries(claims.map(({ metadata, status }) => [metadata.name, status?.allocation?.nodeSelector ?? null]));
  return { isPlaced: true, ...(pod.spec.nodeName === question.name ? {} : { node: pod.spec.nodeName }), allocations, nodes };
};

const MERGE = 'application/merge-patch+json';

type WaitingResult = DeviceAllocationResult & { readonly shareID?: string; readonly bindingConditions?: readonly string[] };

/** Meets the binding conditions of allocated devices, as their driver would. */
const meetConditions = async (client: RawKubeClient, { claims }: Seen): Promise<void> => {
  for (const { metadata, status } of claims.values()) {
    const results: readonly WaitingResult[] = status?.allocation?.devices?.results ?? [];
    const waiting = results.filter(({ bindingConditions = [] }) => bindingConditions.length > 0);
    if (waiting.length === 0 || (status !== undefined && 'devices' in status)) continue;
    const lastTransitionTime = new Date().toISOString();
    const devices = waiting.map(({ driver, pool, device, shareID, bindingConditions = [] }) => ({
      ...{ driver, pool, device, shareID },
      conditions: bindingConditions.map((type) => ({ type, status: 'True', reason: 'Met', message: '', lastTransitionTime })),
    }));
    await client.call(`${CLAIMS}/${metadata.name}/status`, { method: 'PATCH', contentType: MERGE, body: { status: { devices } } });
  }
};

const askAll = async (client: RawKubeClient, questions: readonly Question[], index: number): Promise<void> => {
  const due = questions.filter(({ asked }) => index < asked.pods.length);
  for (const { name, asked } of due) await create(client, podObject(name, asked, index));
  await eventually(`an answer to each pod ${index}`, async () => {
    const seen = await readAnswers(client);
    await meetConditions(client, seen);
    const found = due.map((question) => answerOf(question, index, seen));
    if (found.includes(undefined)) return undefined;
    due.forEach(({ answers }, at) => answers.push(found[at] ?? { isPlaced: false, allocations: {} }));
    return true;
  });
  // A pod that was refused would take what later pods leave.
  for (const { name, answers } of due)
    if (answers[index]?.isPlaced === false) await client.call(`${PODS}/${podName(name, index)}`, { method: 'DELETE' });
};

/**
 * What an API server and kube-scheduler of a folder of programs say to the cases; undefined where a server refuses the
 * objects of a case.
 */
export const realAnswers = async (
  assets: string,
  cases: readonly DeviceCase[],
): Promise<readonly (readonly PodVerdict[] | undefined)[]> => {
  await using programs = await startControlPlanePrograms(assets, { featureGates: GATES });
  const client = createRawKubeClient({ url: programs.url, ca: programs.ca, headers: { authorization: `Bearer ${programs.token}` } });
  const labels = { 'resource.kubernetes.io/admin-access': 'true' };
  await eventually('the service account', async () =>
    (await client.call(`${NAMESPACE}/serviceaccounts/default`)).status === 200 ? true : undefined,
  );
  // It evicts pods from devices with taints, and from nodes without a kubelet.
  await programs.controllerManager.kill();
  await client.call(NAMESPACE, { method: 'PATCH', contentType: MERGE, body: { metadata: { labels } } });
  const questions: Question[] = [];
  const byCase: (Question | undefined)[] = [];
  for (const [index, given] of cases.entries()) {
    const name = `case-${index}`;
    const asked = ownCase(name, given);
    const claims = asked.claims.map((spec, at) => claimObject(caseClaimName(name, at), spec));
    const isSound = await createAll(client, [...standingObjects(name, asked), ...claims]);
    const question = isSound ? { name, asked, answers: [] } : undefined;
    byCase.push(question);
    if (question !== undefined) questions.push(question);
  }
  const most = Math.max(0, ...questions.map(({ asked }) => asked.pods.length));
  for (let index = 0; index < most; index++) await askAll(client, questions, index);
  return byCase.map((question) => question?.answers);
};
