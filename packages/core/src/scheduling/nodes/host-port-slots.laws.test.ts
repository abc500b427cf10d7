import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { finish } from '../../base/index.ts';
import { aBareSnapshot } from '../../cluster/testing/a-bare-cluster.ts';
import { ANY_ADDRESS } from '../../kube/index.ts';
import type { HostPort, Pod } from '../../kube/index.ts';
import { readingPorts } from './host-port-slots.ts';

const port: fc.Arbitrary<HostPort> = fc.record({
  port: fc.integer({ min: 1, max: 3 }),
  protocol: fc.constantFrom('TCP', 'UDP'),
  address: fc.constantFrom(ANY_ADDRESS, '10.0.0.1', '10.0.0.2', '10.0.0.3'),
});
const pods = fc.array(fc.array(port, { minLength: 1, maxLength: 4 }), { minLength: 2, maxLength: 6 });

const podWithPorts = (ports: readonly HostPort[]): Pod => ({
  metadata: { name: 'p' },
  spec: {
    containers: [
      {
        name: 'main',
        ports: ports.map(({ port: hostPort, address, protocol }) => ({ containerPort: 1, hostPort, hostIP: address, protocol })),
      },
    ],
  },
});

const conflicts = (a: HostPort, b: HostPort): boolean =>
  a.port === b.port && a.protocol === b.protocol && (a.address === b.address || a.address === ANY_ADDRESS || b.address === ANY_ADDRESS);

/** The rule of Kubernetes, read plainly: no two pods of a node hold ports that conflict. */
const mayShareNode = (all: readonly (readonly HostPort[])[]): boolean =>
  all.every((ports, index) => all.slice(index + 1).every((others) => !ports.some((a) => others.some((b) => conflicts(a, b)))));

test('pods fit the slots of a node exactly when no two of them hold ports that conflict', () => {
  fc.assert(
    fc.property(pods, fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }), (all, isThere) => {
      const { onNode, takenBy } = finish(readingPorts(aBareSnapshot({ pendingPods: all.map(podWithPorts) }), []));
      const together = all.filter((_, index) => isThere[index]);
      const taken = together.map(takenBy);
      const fits = Object.entries(onNode).every(([slot, amount]) => taken.reduce((sum, each) => sum + (each[slot] ?? 0), 0) <= amount);
      expect(fits).toBe(mayShareNode(together));
    }),
  );
});
