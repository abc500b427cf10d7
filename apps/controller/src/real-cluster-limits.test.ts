import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { knownRefusals } from '@karpenter/azure-emulator';
import type { NodePool } from '@karpenter/core';
import type { KubeObject } from '@karpenter/runtime';
import { aDeployment, aNodeClass, aPool, oneOf, type Wanted } from './testing/clusters/objects.ts';
import { controlPlane, describeWithControlPlane } from './testing/processes/control-plane.ts';
import { RealStory } from './testing/processes/real-story.ts';

jest.setTimeout(600_000);

type Changed = { readonly [K in keyof NodePool['spec']]?: object | null };

/** The message of a condition beside each object, as the page on limits prints it. */
const messageOf = (condition: string): string =>
  `custom-columns=NAME:.metadata.name,SAYS:.status.conditions[?(@.type=="${condition}")].message`;

const apart = (app: string): object => ({
  affinity: {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app } } }],
    },
  },
});

describeWithControlPlane("limits and minimums on Kubernetes' own control plane", () => {
  let story: RealStory;

  beforeAll(async () => {
    story = await RealStory.start(controlPlane, { variables: { CLUSTER_LIMITS: 'nodes=3' } });
    await story.create(aNodeClass as KubeObject);
    await story.create(aPool([oneOf('karpenter.azure.com/sku-cpu', '2', '4')]));
  });

  afterAll(() => story[Symbol.asyncDispose]());

  const nodeNames = async (): Promise<readonly string[]> => (await story.nodes()).map(({ metadata }) => metadata.name);

  const deploy = (wanted: Wanted): Promise<void> => story.create(aDeployment(wanted));

  const changePool = (spec: Changed): Promise<string> =>
    story.kubectl('patch', 'nodepool', 'general', '--type=merge', '-p', JSON.stringify({ spec }));

  const allRun = (app: string, count: number): Promise<void> =>
    story.until(`${count} pods of ${app} run`, async () => (await story.running(app)).length === count);

  const nothingIsLeft = (): Promise<void> =>
    story.until('nothing is left', async () => Object.values(await story.machines()).every((count) => count === 0));

  test('a pool with a minimum has its nodes without pods, gets another for one that is deleted, and says what a limit leaves out', async () => {
    await changePool({ minimum: { nodes: '2' } });
    await story.kubectl('wait', 'nodepool/general', '--for=condition=MinimumMet', '--timeout=120s');
    const [first = '', ...others] = await nodeNames();
    expect(others).toHaveLength(1);
    await story.shows(/Unconsolidatable .*NodePool "general" keeps a minimum of 2 nodes/, 'describe', 'node', first);
    await story.kubectl('delete', 'node', first);
    await story.until('another node is there', async () => {
      const names = await nodeNames();
      return names.length === 2 && !names.includes(first);
    });
    await changePool({ minimum: { nodes: '3' }, limits: { nodes: '2' } });
    await story.shows(/^general nodes: 2 of 3, limited to 2$/m, 'get', 'nodepools', '-o', messageOf('MinimumMet'));
    await changePool({ minimum: null, limits: null });
    await nothingIsLeft();
  });

  test('the cluster gets no more nodes than its limit, and the pod beyond names it', async () => {
    await deploy({ name: 'apart', replicas: 4, podSpec: apart('apart') });
    await allRun('apart', 3);
    await story.shows(
      /FailedScheduling .*NodePool general: the cluster’s limit of 3 nodes is reached/,
      ...['describe', 'pods', '-l', 'app=apart'],
    );
    expect(await nodeNames()).toHaveLength(3);
    await story.scale('apart', 0);
    await nothingIsLeft();
  });

  test('pods of higher priority get the room that a limit leaves, and the others name the limit', async () => {
    const waiting = (app: string, limit: string): Promise<void> =>
      story.shows(
        new RegExp(`FailedScheduling .*NodePool general: its cpu limit leaves 0 of ${limit},`),
        'describe',
        'pods',
        '-l',
        `app=${app}`,
      );
    await changePool({ limits: { cpu: '0' } });
    // kube-scheduler binds in an order of its own: where a pod of low priority gets the room first, it makes way.
    await story.kubectl('create', 'priorityclass', 'high', '--value=1000');
    await deploy({ name: 'low', replicas: 3 });
    await deploy({ name: 'high', replicas: 3, podSpec: { priorityClassName: 'high' } });
    for (const app of ['low', 'high']) await waiting(app, '0');
    await changePool({ limits: { cpu: '4' } });
    await allRun('high', 3);
    await waiting('low', '4');
    expect(await story.running('low')).toEqual([]);
    for (const app of ['low', 'high']) await story.scale(app, 0);
    await changePool({ limits: null });
    await nothingIsLeft();
  });

  test('a drifted node whose replacement is out of stock stays, and says when the replacement is tried again', async () => {
    await deploy({ name: 'web', replicas: 1 });
    await allRun('web', 1);
    const [name = ''] = await nodeNames();
    const refusal = knownRefusals.zonalAllocationFailed();
    story.cluster.arm.faults.add({ operation: 'VirtualMachines_CreateOrUpdate', effect: { kind: 'refuse', refusal } });
    // A claim tries every offering that it may have; here there is one.
    const { requirements } = aPool([
      oneOf('node.kubernetes.io/instance-type', 'Standard_D4s_v5'),
      oneOf('topology.kubernetes.io/zone', 'eastus-1'),
    ]).spec.template.spec;
    await changePool({ template: { metadata: { labels: { generation: 'second' } }, spec: { requirements } } });
    const says = /The replacement of the node failed .*[Ii]t is tried again after \d{4}-/;
    await story.shows(says, 'get', 'nodeclaims', '-o', messageOf('Drifted'));
    await story.shows(new RegExp(`DisruptionBlocked .*${says.source}`), 'describe', 'node', name);
    expect((await story.running('web')).map(({ spec }) => spec.nodeName)).toEqual([name]);
    await story.scale('web', 0);
    await story.until('no machine is left', async () => {
      const { claims, nodes, vms } = await story.machines();
      return claims + nodes + vms === 0;
    });
  });
});
