import { describe, expect, jest, test } from '@jest/globals';
import type { Pod } from '@karpenter/core';
import { capacityBufferCrd } from '@karpenter/core/internal';
import type { KubeObject } from '@karpenter/runtime';
import { aBuffer, anApp, aTemplate, buffersOf, scalable, twoCores } from './capacity-buffer-story.ts';
import { aStoryCluster } from './story-cluster.ts';
import type { StoryCluster } from './story-cluster.ts';
import { isInPhaseRunning } from './running-pods.ts';

jest.setTimeout(300_000);

const LONG_MS = 60_000;
const runningPodsOf = async (story: StoryCluster, app: string): Promise<number> =>
  (await story.pods()).filter((pod) => pod.metadata.labels?.['app'] === app && isInPhaseRunning(pod)).length;
const untilRunning = (story: StoryCluster, app: string, count: number): Promise<void> =>
  story.until(`${count} pods of ${app} run`, async () => (await runningPodsOf(story, app)) === count);
const claimNames = async (story: StoryCluster): Promise<readonly string[]> => (await story.claims()).map(({ metadata }) => metadata.name);
const isOn = async (story: StoryCluster): Promise<number> => (await claimNames(story)).length;

/** A story with a pool of two-core nodes and the template of a chunk. */
const startWithTemplate = async (...objects: readonly KubeObject[]): Promise<StoryCluster> => {
  const story = await aStoryCluster({ batchIdleMs: 500 });
  await story.create(aTemplate(), ...objects);
  return story;
};

/** The cases of the original: `test/suites/regression/capacitybuffer_test.go`. */
describe('a CapacityBuffer of a PodTemplate', () => {
  test('gets nodes before any pod asks for them', async () => {
    await using story = await startWithTemplate(twoCores(), aBuffer({ replicas: 3 }));
    const buffers = buffersOf(story);
    await buffers.untilReplicas(3);
    await buffers.untilWarm();
    expect(await isOn(story)).toBe(3);
    expect(await story.pods()).toEqual([]);
    expect(await buffers.get()).toMatchObject({ status: { podTemplateRef: { name: 'chunk' }, replicas: 3 } });
  });

  test('follows the template when it changes', async () => {
    await using story = await startWithTemplate(twoCores(), aBuffer({ replicas: 2 }));
    const buffers = buffersOf(story);
    await buffers.untilWarm();
    const before = (await buffers.get())?.status?.podTemplateGeneration ?? 0;
    const containers = [{ name: 'pause', image: 'pause', resources: { requests: { cpu: '1500m', memory: '512Mi' } } }];
    await story.kube.patch(
      'PodTemplate',
      { namespace: 'default', name: 'chunk' },
      { type: 'merge', body: { template: { spec: { containers } } } },
    );
    await story.until('the generation is the new one', async () => ((await buffers.get())?.status?.podTemplateGeneration ?? 0) > before);
  });

  test('keeps the node selector of the template', async () => {
    const linux = aTemplate('linux', { spec: { nodeSelector: { 'kubernetes.io/os': 'linux' } } });
    await using story = await startWithTemplate(twoCores(), linux, aBuffer({ podTemplateRef: { name: 'linux' }, replicas: 1 }));
    await buffersOf(story).untilWarm();
    expect((await story.nodes()).map(({ metadata }) => metadata.labels?.['kubernetes.io/os'])).toEqual(['linux']);
  });
});

describe('a CapacityBuffer of a workload', () => {
  const app = anApp('web', 10, { cpu: '500m', memory: '256Mi' });

  test('is sized by a percentage of its replicas', async () => {
    await using story = await startWithTemplate(twoCores(), app);
    await untilRunning(story, 'web', 10);
    await story.create(aBuffer({ scalableRef: scalable('web'), percentage: 20 }));
    await buffersOf(story).untilReplicas(2);
    await buffersOf(story).untilWarm();
  });

  test('is sized by a number', async () => {
    await using story = await startWithTemplate(twoCores(), app);
    await untilRunning(story, 'web', 10);
    await story.create(aBuffer({ scalableRef: scalable('web'), replicas: 3 }));
    await buffersOf(story).untilReplicas(3);
    await buffersOf(story).untilWarm();
  });

  test('waits for a workload that does not exist yet', async () => {
    await using story = await startWithTemplate(twoCores(), aBuffer({ scalableRef: scalable('web'), replicas: 2 }));
    const buffers = buffersOf(story);
    await story.until('the buffer is not ready', async () => (await buffers.ready())?.reason === 'ScalableRefNotFound');
    expect(await buffers.provisioning()).toMatchObject({ status: 'False', reason: 'NotReadyForProvisioning' });
    await story.create(app);
    await buffers.untilReplicas(2);
  });

  test('grows with the workload', async () => {
    await using story = await startWithTemplate(twoCores(), anApp('growing', 5, { cpu: '500m', memory: '256Mi' }));
    await story.create(aBuffer({ scalableRef: scalable('growing'), percentage: 20 }));
    await buffersOf(story).untilReplicas(1);
    await story.scale('growing', 20);
    await buffersOf(story).untilReplicas(4);
  });
});

describe('pods that take the room of a CapacityBuffer', () => {
  test('run at once, on a node that stands, and the room is filled again', async () => {
    await using story = await startWithTemplate(twoCores(), aBuffer({ replicas: 2 }));
    const buffers = buffersOf(story);
    await buffers.untilWarm();
    const before = await claimNames(story);
    await story.create(anApp('consumer', 1));
    await story.until('the consumer runs', async () => (await runningPodsOf(story, 'consumer')) === 1, 10_000);
    const [pod] = (await story.pods()).filter(isInPhaseRunning);
    expect((await story.nodes()).find(({ metadata }) => metadata.name === pod?.spec.nodeName)).toBeDefined();
    await story.until('a node more comes', async () => (await isOn(story)) === before.length + 1);
    await buffers.untilWarm();
    expect(await claimNames(story)).toEqual(expect.arrayContaining([...before]));
  });

  test('may be larger than a chunk: what they leave is filled again', async () => {
    await using story = await startWithTemplate(twoCores(), aBuffer({ replicas: 2 }));
    const buffers = buffersOf(story);
    await buffers.untilWarm();
    const before = await isOn(story);
    await story.create(anApp('consumer', 1, { cpu: '1500m' }));
    await untilRunning(story, 'consumer', 1);
    await story.until('a node more comes', async () => (await isOn(story)) > before);
    await buffers.untilWarm();
  });

  test('run beside the chunks of a buffer that fits on their node', async () => {
    await using story = await startWithTemplate(twoCores(), anApp('small', 1, { cpu: '100m', memory: '128Mi' }));
    await untilRunning(story, 'small', 1);
    const before = await claimNames(story);
    await story.create(aBuffer({ replicas: 1 }));
    await buffersOf(story).untilWarm();
    await story.pass(LONG_MS / 2);
    expect(await claimNames(story)).toEqual(before);
    expect(await runningPodsOf(story, 'small')).toBe(1);
  });
});

describe('disruption and CapacityBuffers', () => {
  test('empty nodes with the room of a buffer stay', async () => {
    await using story = await startWithTemplate(twoCores(), aBuffer({ replicas: 2 }));
    await buffersOf(story).untilWarm();
    const before = await claimNames(story);
    await story.pass(LONG_MS);
    expect(await claimNames(story)).toEqual(before);
  });

  test('when the buffer is deleted, its nodes go', async () => {
    await using story = await startWithTemplate(twoCores(), aBuffer({ replicas: 2 }));
    await buffersOf(story).untilWarm();
    await buffersOf(story).drop();
    await story.until('no node is left', async () => (await isOn(story)) === 0);
  });

  test('drifted nodes are replaced, and the buffer has its room again', async () => {
    await using story = await startWithTemplate(twoCores(), aBuffer({ replicas: 2 }));
    await buffersOf(story).untilWarm();
    const before = await claimNames(story);
    const template = { metadata: { annotations: { 'drift-trigger': 'true' } } };
    await story.kube.patch('NodePool', { name: 'general' }, { type: 'merge', body: { spec: { template } } });
    await story.until('the old nodes are gone', async () => !(await claimNames(story)).some((name) => before.includes(name)), 1_800_000);
    await buffersOf(story).untilWarm();
  });

  test('an expired node is replaced', async () => {
    await using story = await startWithTemplate(twoCores({}, '1m'), aBuffer({ replicas: 1 }));
    await buffersOf(story).untilWarm();
    const [before = ''] = await claimNames(story);
    await story.until('the old node is gone', async () => !(await claimNames(story)).includes(before), 1_800_000);
    await story.until('another has come', async () => (await isOn(story)) > 0);
    await buffersOf(story).untilWarm();
  });
});

describe('a CapacityBuffer that changes', () => {
  test('deletes nodes when it asks for fewer chunks', async () => {
    await using story = await startWithTemplate(twoCores(), aBuffer({ replicas: 3 }));
    await buffersOf(story).untilWarm();
    await buffersOf(story).change({ replicas: 1 });
    await buffersOf(story).untilReplicas(1);
    await story.until('one node is left', async () => (await isOn(story)) === 1);
  });

  test('grows when its limits are raised', async () => {
    await using story = await startWithTemplate(twoCores(), aBuffer({ limits: { cpu: '2' } }));
    const buffers = buffersOf(story);
    await buffers.untilReplicas(2);
    await buffers.untilWarm();
    await buffers.change({ limits: { cpu: '5' } });
    await buffers.untilReplicas(5);
    await buffers.untilWarm();
    expect(await isOn(story)).toBe(5);
  });

  test('many that come and go leave no node behind', async () => {
    await using story = await startWithTemplate(twoCores(), aBuffer({ replicas: 1 }));
    await story.until('a node comes', async () => (await isOn(story)) === 1);
    await buffersOf(story).drop();
    for (let turn = 0; turn < 5; turn += 1) {
      const name = `rapid-${turn}`;
      await story.create(aBuffer({ replicas: 2 }, name));
      await story.pass(2000);
      await buffersOf(story).drop(name);
    }
    await story.until('no node is left', async () => (await isOn(story)) === 0);
  });
});

describe('several CapacityBuffers', () => {
  test('each has its own room', async () => {
    const small = aTemplate('small', { cpu: '500m', memory: '256Mi' });
    const other = aBuffer({ podTemplateRef: { name: 'small' }, replicas: 3 }, 'other');
    await using story = await startWithTemplate(twoCores(), small, aBuffer({ replicas: 2 }), other);
    await buffersOf(story).untilReplicas(2);
    await buffersOf(story).untilReplicas(3, 'other');
    await buffersOf(story).untilWarm();
    await buffersOf(story).untilWarm('other');
    expect(await isOn(story)).toBeGreaterThanOrEqual(2);
  });

  test('the limits of a pool hold for them', async () => {
    await using story = await startWithTemplate(twoCores({ limits: { cpu: '4' } }), aBuffer({ replicas: 10 }));
    await story.until('two nodes are there', async () => (await isOn(story)) === 2);
    await story.pass(LONG_MS / 2);
    expect(await isOn(story)).toBe(2);
    expect(await buffersOf(story).provisioning()).toMatchObject({ status: 'False', reason: 'RequiresNewCapacity' });
  });
});

describe('chunks that keep away from each other', () => {
  const apart = (app: string): Partial<Pod['spec']> => ({
    affinity: {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { labelSelector: { matchLabels: { app } }, topologyKey: 'kubernetes.io/hostname' },
        ],
      },
    },
  });

  test('get a node each', async () => {
    const template = aTemplate('spread', { cpu: '100m', labels: { app: 'spread' }, spec: apart('spread') });
    await using story = await startWithTemplate(twoCores(), template, aBuffer({ podTemplateRef: { name: 'spread' }, replicas: 3 }));
    await buffersOf(story).untilWarm();
    expect(await isOn(story)).toBe(3);
  });

  test('keep away from pods of their workload as well', async () => {
    await using story = await startWithTemplate(twoCores(), anApp('spread', 1, { cpu: '100m', spec: apart('spread') }));
    await untilRunning(story, 'spread', 1);
    await story.create(aBuffer({ scalableRef: scalable('spread'), replicas: 3 }));
    await buffersOf(story).untilReplicas(3);
    await buffersOf(story).untilWarm();
    expect(await isOn(story)).toBe(4);
  });
});

/** What the original does not have. */
describe('a CapacityBuffer of our own', () => {
  test('with a schedule is warm in its window, and gone after it', async () => {
    // Stories begin at midnight of a Monday in June, two o'clock in Berlin.
    const said = { schedule: '10 2 * * mon', duration: '10m', 'time-zone': 'Europe/Berlin' };
    const annotations = Object.fromEntries(Object.entries(said).map(([name, value]) => [`karpenter.sh/capacity-buffer-${name}`, value]));
    const buffer = aBuffer({ replicas: 2 });
    await using story = await startWithTemplate(twoCores(), { ...buffer, metadata: { ...buffer.metadata, annotations } });
    const buffers = buffersOf(story);
    await story.until('the buffer waits', async () => (await buffers.provisioning())?.reason === 'OutsideSchedule');
    expect([await buffers.replicas(), await isOn(story)]).toEqual([0, 0]);
    await story.pass(5 * LONG_MS);
    expect(await isOn(story)).toBe(0);
    await story.until('the buffer asks for room', async () => (await buffers.replicas()) === 2, 20 * LONG_MS);
    await buffers.untilWarm();
    expect(story.clock.now()).toBeLessThan(Date.UTC(2026, 5, 1, 0, 13));
    await story.until('the room is deleted', async () => (await buffers.replicas()) === 0 && (await isOn(story)) === 0, 20 * LONG_MS);
    expect(story.clock.now()).toBeGreaterThan(Date.UTC(2026, 5, 1, 0, 20));
  });

  test('shows the price of its room: all of a node that it has to itself, a part of one with pods', async () => {
    await using story = await startWithTemplate(twoCores(), aBuffer({ replicas: 2 }));
    const buffers = buffersOf(story);
    await buffers.untilWarm();
    const price = async (): Promise<number> => Number((await buffers.get())?.status?.pricePerHour);
    expect(await price()).toBeCloseTo(2 * 0.0736, 3);
    await story.create(anApp('consumer', 1, { cpu: '500m' }));
    await untilRunning(story, 'consumer', 1);
    await buffers.untilWarm();
    await story.pass(LONG_MS);
    expect(await price()).toBeGreaterThan(0.0736);
  });

  test('leaves no trace in events, nominations and the annotations of claims', async () => {
    await using story = await startWithTemplate(twoCores(), aBuffer({ replicas: 2 }));
    await buffersOf(story).untilWarm();
    const events = (await story.kube.list('Event', { namespace: 'default' })).items as readonly {
      readonly involvedObject?: { readonly kind?: string };
    }[];
    expect(events.filter(({ involvedObject }) => involvedObject?.kind === 'Pod')).toEqual([]);
    expect((await story.claims()).map(({ metadata }) => metadata.annotations?.['karpenter.sh/planned-pods'])).toEqual(['', '']);
  });

  test('whose room stays is not emptied by a process that starts again', async () => {
    await using story = await startWithTemplate(twoCores(), aBuffer({ replicas: 2 }));
    await buffersOf(story).untilWarm();
    const before = await claimNames(story);
    story.restart();
    await story.pass(2 * LONG_MS);
    expect(await claimNames(story)).toEqual(before);
  });

  test('whose template cannot be read after a restart keeps its room, and pods get nodes meanwhile', async () => {
    await using story = await startWithTemplate(twoCores(), aBuffer({ replicas: 2 }));
    const buffers = buffersOf(story);
    await buffers.untilWarm();
    const before = await claimNames(story);
    const outage = story.faults.inject({ verbs: ['get'], kinds: ['PodTemplate'], effect: { kind: 'refuse', code: 500 } });
    story.restart();
    await story.until('the failure is shown', async () => (await buffers.ready())?.reason === 'ResolutionFailed');
    await story.create(anApp('web', 3));
    await untilRunning(story, 'web', 3);
    await story.scale('web', 0);
    await story.pass(5 * LONG_MS);
    expect(await claimNames(story)).toEqual(expect.arrayContaining([...before]));
    outage[Symbol.dispose]();
    await buffers.untilWarm();
    await story.until('only the room is left', async () => (await isOn(story)) === 2);
  });
});

describe('when the CRD of CapacityBuffers is not installed', () => {
  const name = 'capacitybuffers.autoscaling.x-k8s.io';

  test('pods get nodes, and buffers have room once it is', async () => {
    await using story = await startWithTemplate(twoCores());
    story.local.delete('CustomResourceDefinition', { name });
    story.restart();
    await story.create(anApp('web', 1));
    await untilRunning(story, 'web', 1);
    story.local.create({ ...capacityBufferCrd });
    await story.create(aBuffer({ replicas: 1 }));
    await buffersOf(story).untilWarm();
  });

  test('buffers that were deleted with it have no room any more', async () => {
    await using story = await startWithTemplate(twoCores(), aBuffer({ replicas: 2 }));
    await buffersOf(story).untilWarm();
    story.local.delete('CustomResourceDefinition', { name });
    await story.until('the nodes are gone', async () => (await isOn(story)) === 0);
  });
});
