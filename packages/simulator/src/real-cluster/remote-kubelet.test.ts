import { expect, test } from '@jest/globals';
import { type KindRef, startApiServer } from '@karpenter/api-server';
import { karpenterKinds } from '@karpenter/core/controllers';
import { type Clock, createKubeClient, createTransport, kindTable, systemClock } from '@karpenter/runtime';
import type { NodeObject } from '../cluster/objects/node.ts';
import { RemoteKubelet } from './remote-kubelet.ts';

const nodes: KindRef<NodeObject> = { kind: 'Node' };
const machine = {
  ...{ name: 'node-1', labels: {}, taints: [], arch: 'amd64' as const, isCloudManaged: false },
  capacity: { cpu: '2' },
  allocatable: { cpu: '2' },
};

const aRemoteKubelet = async (parts: AsyncDisposableStack, clock: Clock = systemClock) => {
  const server = parts.use(await startApiServer({ clock: systemClock }));
  const transport = createTransport({ server: server.url, tls: {} }, { clock: systemClock });
  parts.defer(() => transport.close());
  const client = createKubeClient(transport, kindTable(karpenterKinds));
  const kubelet = new RemoteKubelet(machine, { client, clock, nextPodIp: () => '10.1.0.1', delays: { registerMs: 0, readyMs: 0 } });
  const readyCondition = () => server.local.get(nodes, { name: machine.name })?.status?.conditions?.find(({ type }) => type === 'Ready');
  return { server, kubelet, readyCondition };
};

test('a status that the API server refuses is reported with the next step', async () => {
  await using parts = new AsyncDisposableStack();
  const { server, kubelet, readyCondition } = await aRemoteKubelet(parts);
  const readiness = (): string | undefined => readyCondition()?.status;
  {
    using _fault = server.faults.inject({ effect: { kind: 'refuse', code: 500 }, verbs: ['patch'], kinds: ['Node'] });
    // The first report, and that it is ready.
    for (let step = 0; step < 2; step += 1) await expect(kubelet.step([])).rejects.toMatchObject({ name: 'KubeError' });
  }
  expect(readiness()).toBeUndefined();
  await kubelet.step([]);
  expect(readiness()).toBe('True');
});

test('a status that has not changed is reported every five minutes', async () => {
  await using parts = new AsyncDisposableStack();
  const startMs = Date.parse('2026-11-28T00:00:00Z');
  let nowMs = startMs;
  const { kubelet, readyCondition } = await aRemoteKubelet(parts, { ...systemClock, now: () => nowMs });
  const reportedAfterMs = async (ms: number): Promise<number> => {
    nowMs = startMs + ms;
    await kubelet.step([]);
    return Date.parse(readyCondition()?.lastHeartbeatTime ?? '') - startMs;
  };
  await kubelet.step([]);
  expect([await reportedAfterMs(0), await reportedAfterMs(299_000), await reportedAfterMs(300_000)]).toEqual([0, 0, 300_000]);
});
