import { type Condition, conditionOf, type NodePool, type Pod } from '@karpenter/core';
import type { CapacityBuffer } from '@karpenter/core/internal';
import type { KubeObject } from '@karpenter/runtime';
import type { StoryCluster } from './story-cluster.ts';
import { aStoryPool } from './story-objects.ts';

/** A pod of a story, as far as it matters for its room. */
interface Shape {
  readonly cpu?: string;
  readonly memory?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly spec?: Partial<Pod['spec']>;
}

const templateOf = ({ cpu = '1', memory = '512Mi', labels = {}, spec = {} }: Shape) => ({
  metadata: { labels },
  spec: {
    terminationGracePeriodSeconds: 0,
    containers: [{ name: 'pause', image: 'pause', resources: { requests: { cpu, memory } } }],
    ...spec,
  },
});

/** A PodTemplate of one core. */
export const aTemplate = (name = 'chunk', shape: Shape = {}): KubeObject => ({
  ...{ apiVersion: 'v1', kind: 'PodTemplate', metadata: { name, namespace: 'default' } },
  ...{ template: templateOf(shape) },
});

/** A Deployment whose pods have the label `app`. */
export const anApp = (name: string, replicas: number, shape: Shape = {}): KubeObject => {
  const labels = { app: name };
  return {
    ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, namespace: 'default' } },
    ...{ spec: { replicas, selector: { matchLabels: labels }, template: templateOf({ ...shape, labels }) } },
  };
};

/** A buffer of `aTemplate`, unless it refers to something else. */
export const aBuffer = (spec: CapacityBuffer['spec'], name = 'spare'): CapacityBuffer => ({
  ...{ apiVersion: 'autoscaling.x-k8s.io/v1beta1', kind: 'CapacityBuffer', metadata: { name, namespace: 'default' } },
  spec: { ...(spec.scalableRef === undefined && { podTemplateRef: { name: 'chunk' } }), ...spec },
});

/** The reference to `anApp`. */
export const scalable = (name: string) => ({ apiGroup: 'apps', kind: 'Deployment', name });

/** A pool of nodes with two cores, on which one chunk of a core fits, or the spec that differs. */
export const twoCores = (spec: Partial<NodePool['spec']> = {}, expireAfter = 'Never'): NodePool => {
  const { template } = aStoryPool().spec;
  const requirements = [
    ...template.spec.requirements,
    { key: 'node.kubernetes.io/instance-type', operator: 'In' as const, values: ['sim-c2', 'sim-g2p'] },
  ];
  return aStoryPool({ ...spec, template: { ...template, spec: { ...template.spec, requirements, expireAfter } } });
};

const key = (name: string) => ({ namespace: 'default', name });

/** What a story asks of its buffers. */
export const buffersOf = (story: StoryCluster) => {
  const get = (name = 'spare') => story.kube.get<CapacityBuffer>('CapacityBuffer', key(name));
  const said = async (type: string, name?: string): Promise<Condition | undefined> =>
    conditionOf((await get(name))?.status?.conditions, type);
  return {
    get,
    replicas: async (name?: string) => (await get(name))?.status?.replicas,
    ready: (name?: string) => said('ReadyForProvisioning', name),
    provisioning: (name?: string) => said('Provisioning', name),
    /** Until the buffer has its room on nodes that are up. */
    untilWarm: (name?: string) =>
      story.until('the buffer has its room', async () => (await said('Provisioning', name))?.reason === 'FitsExistingCapacity'),
    untilReplicas: (replicas: number, name?: string) =>
      story.until(`the buffer has ${replicas} chunks`, async () => (await get(name))?.status?.replicas === replicas),
    change: (spec: object, name = 'spare') => story.kube.patch('CapacityBuffer', key(name), { type: 'merge', body: { spec } }),
    drop: (name = 'spare') => story.kube.delete('CapacityBuffer', key(name)),
  };
};
