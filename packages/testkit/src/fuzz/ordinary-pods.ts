import type { ApiObject, KindRef } from '@karpenter/api-server';
import type { Node, NodeClaim, Pod } from '@karpenter/core';
import { podRequests } from '@karpenter/core/internal';
import type { StoryCluster } from '../stories/story-cluster.ts';

/** The ordinary pool takes any value of it from pods, and the nodes of one value serve no pod of another. */
export const CASE_LABEL = 'example.com/case';

/** The simulated cloud makes a node in less than ten seconds. A pod that waits longer waits for something odd. */
const SERVED_WITHIN_MS = 90_000;

const pods: KindRef<Pod & ApiObject> = { apiVersion: 'v1', kind: 'Pod' };
const nodes: KindRef<Node & ApiObject> = { apiVersion: 'v1', kind: 'Node' };
const claims: KindRef<NodeClaim & ApiObject> = { apiVersion: 'karpenter.sh/v1', kind: 'NodeClaim' };

/**
 * By its selector it needs a new node of the ordinary pool; without one any pool and any node may serve it. The largest
 * node has no room for two of them.
 */
const anOrdinaryPod = (name: string, nodeSelector: Readonly<Record<string, string>>): ApiObject & { readonly spec: object } => ({
  ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'default', labels: { app: 'ordinary' } } },
  spec: {
    nodeSelector,
    terminationGracePeriodSeconds: 0,
    containers: [{ name: 'main', image: 'pause', resources: { requests: { cpu: '40' } } }],
  },
});

/** What the largest sizes of the simulated cloud surely have beside an ordinary pod. */
const ROOM: Readonly<Record<string, number>> = { cpu: 20_000, memory: 100 * 2 ** 30, pods: 100 };

type Templated = Pick<Pod, 'spec'> & { readonly spec: { readonly template?: Pick<Pod, 'spec'> } };

/** The pod of an object: its own, or that of its template. */
const podIn = (object: ApiObject): Pod | undefined => {
  const { kind, spec, template } = object as ApiObject & Templated & { readonly template?: Pod };
  if (kind === 'Pod') return object as ApiObject & Pod;
  if (kind === 'PodTemplate') return template;
  return kind === 'DaemonSet' ? (spec.template as Pod | undefined) : undefined;
};

const isLargerThanAnySize = (pod: Pod): boolean => Object.entries(podRequests(pod)).some(([name, amount]) => amount > (ROOM[name] ?? 0));

const keepsOthersAway = ({ spec }: Pod): boolean =>
  (spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).length > 0;

/**
 * Whether it may rightly leave ordinary pods without a node: a DaemonSet by requests that fit on no size beside
 * anything else, a pod by terms of anti-affinity that are required. Nothing else may.
 */
export const mayKeepPodsPending = (object: ApiObject): boolean => {
  const pod = podIn(object);
  if (pod === undefined) return false;
  return keepsOthersAway(pod) || (object.kind === 'DaemonSet' && isLargerThanAnySize(pod));
};

/** Whether it stands on a node that is there and has all labels that the pod's selector names. */
const hasItsNode = ({ local }: StoryCluster, { spec }: Pod): boolean => {
  const node = spec.nodeName === undefined ? undefined : local.get(nodes, { name: spec.nodeName });
  return Object.entries(spec.nodeSelector ?? {}).every(([key, value]) => node?.metadata.labels?.[key] === value) && node !== undefined;
};

/**
 * Creates a pod that needs a new node of the ordinary pool, and one that any pool may serve. The first has to run on
 * its node, the other to be bound to a node. A claim that is made for a pod does not count. Errors: it took too long.
 */
export const ordinaryPodsAreServed = async (story: StoryCluster, caseName: string): Promise<void> => {
  const { local } = story;
  const own = anOrdinaryPod(`own-${caseName}`, { 'karpenter.sh/nodepool': 'general', [CASE_LABEL]: caseName });
  const any = anOrdinaryPod(`any-${caseName}`, {});
  const keyOf = ({ metadata: { name = '' } }: ApiObject) => ({ name, namespace: 'default' });
  const now = (pod: ApiObject) => local.get(pods, keyOf(pod));
  // Its node may be one that is drained in the next moment.
  let hadNode = false;
  const isServed = (): boolean => {
    const [ownNow, anyNow] = [now(own), now(any)];
    hadNode ||= anyNow !== undefined && hasItsNode(story, anyNow);
    return hadNode && ownNow?.status?.phase === 'Running' && hasItsNode(story, ownNow);
  };
  local.create(own);
  local.create(any);
  try {
    await story.until('ordinary pods have nodes', isServed, SERVED_WITHIN_MS);
  } catch (error) {
    const claimed = local.list(claims).map(({ metadata, status }) => ({ name: metadata.name, conditions: status?.conditions }));
    const seen = [own, any].map((pod) => [now(pod)?.spec.nodeName, now(pod)?.status?.conditions]);
    throw new Error(`${String(error)}: ${JSON.stringify({ seen, claimed })}`, { cause: error });
  } finally {
    for (const pod of [own, any]) if (now(pod) !== undefined) local.delete(pods, keyOf(pod), { gracePeriodSeconds: 0 });
  }
};
