import { expect, test } from '@jest/globals';
import { type KindRef, startApiServer } from '@karpenter/api-server';
import { karpenterKinds } from '@karpenter/core/controllers';
import { createKubeClient, createTransport, kindTable, systemClock } from '@karpenter/runtime';
import type { NodeObject } from '../cluster/objects/node.ts';
import { RemoteKubelet } from './remote-kubelet.ts';

const nodes: KindRef<NodeObject> = { kind: 'Node' };
const machine = {
  ...{ name: 'node-1', labels: {}, taints: [], arch: 'amd64' as const, isCloudManaged: false },
  capacity: { cpu: '2' },
  allocatable: { cpu: '2' },
};

test('a status that the API server refuses is reported with the next step', async () => {
  await using parts = new AsyncDisposableStack();
  const server = parts.use(await startApiServer({ clock: systemClock, housekeeping: false }));
  const transport = createTransport({ server: server.url, tls: {} }, { clock: systemClock });
  parts.defer(() => transport.close());
  const client = createKubeClient(transport, kindTable(karpenterKinds));
  const kubelet = new RemoteKubelet(machine, {
    ...{ client, clock: systemClock, nextPodIp: () => '10.1.0.1' },
    delays: { registerMs: 0, readyMs: 0 },
  });
  const readiness = (): string | undefined =>
    server.local.get(nodes, { name: machine.name })?.status?.conditions?.find(({ type }) => type === 'Ready')?.status;
  {
    using _fault = server.faults.inject({ effect: { kind: 'refuse', code: 500 }, verbs: ['patch'], kinds: ['Node'] });
    // The first report, and that it is ready.
    for (let step = 0; step < 2; step += 1) await expect(kubelet.step([])).rejects.toMatchObject({ name: 'KubeError' });
  }
  expect(readiness()).toBeUndefined();
  await kubelet.step([]);
  expect(readiness()).toBe('True');
});
