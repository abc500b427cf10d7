import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ClusterSnapshot } from '../cluster/index.ts';
import { podRequests, sumResources } from '../kube/index.ts';
import type { Pod } from '../kube/index.ts';
import { budgetLedger } from './budgets/budget-ledger.ts';
import { totalPrice } from './consolidation/cheaper-replacement.ts';
import { isStillValid } from './command-validation.ts';
import { proposeCommand, proposing } from './command-proposal.ts';
import { aCluster, aNode, aRunningPod, aPool } from './testing/a-cluster.ts';
import { aContext } from './testing/a-context.ts';

const nodeOptions = fc.record({
  cpus: fc.constantFrom(2, 4, 8, 16),
  capacityType: fc.constantFrom('spot', 'on-demand'),
  nodePoolName: fc.constantFrom('default', 'other'),
  podCpus: fc.array(fc.constantFrom(0.5, 1, 2), { maxLength: 3 }),
  isReady: fc.boolean(),
  isConsolidatable: fc.boolean(),
  driftedAt: fc.option(fc.constantFrom('2026-11-20T08:00:00Z', '2026-11-20T09:00:00Z'), { nil: undefined }),
});

const snapshot: fc.Arbitrary<ClusterSnapshot> = fc
  .record({
    nodes: fc.array(nodeOptions, { minLength: 1, maxLength: 8 }),
    budget: fc.constantFrom('0', '1', '2', '50%', '100%'),
    pendingCpus: fc.array(fc.constantFrom(1, 3, 64), { maxLength: 2 }),
  })
  .map(({ nodes, budget, pendingCpus }) =>
    aCluster(
      nodes.map(({ podCpus, driftedAt, ...options }, i) =>
        aNode(`n${i}`, {
          ...options,
          ...(driftedAt === undefined ? {} : { driftedAt }),
          pods: podCpus.map((cpus, j) => aRunningPod(`p${i}-${j}`, cpus)),
        }),
      ),
      {
        nodePools: ['default', 'other'].map((name) =>
          aPool({ name, disruption: { budgets: [{ nodes: budget }] }, capacityTypes: ['spot', 'on-demand'] }),
        ),
        pendingPods: pendingCpus.map((cpus, i) => aRunningPod(`pending-${i}`, cpus)),
      },
    ),
  );

const turned = (cluster: ClusterSnapshot): ClusterSnapshot => ({
  ...cluster,
  nodes: cluster.nodes.map((node) => ({ ...node, pods: [...node.pods].reverse() })).reverse(),
  nodePools: [...cluster.nodePools].reverse(),
  pendingPods: [...cluster.pendingPods].reverse(),
});

/** What was decided, in an order of its own. */
const decided = (cluster: ClusterSnapshot) => {
  const { command, blocked } = proposeCommand(aContext(cluster));
  const names = command?.candidates.map(({ node }) => node.name);
  return { names, savingsPerHour: command?.savingsPerHour, blocked: new Map([...blocked].sort()) };
};

const cpuMillisOf = (pods: readonly Pod[]): number => sumResources(pods.map(podRequests))['cpu'] ?? 0;

describe('whatever the cluster', () => {
  test('the order in which nodes, pools and pods arrived means nothing', () => {
    fc.assert(fc.property(snapshot, (cluster) => expect(decided(turned(cluster))).toEqual(decided(cluster))));
  });

  test('other decisions about the same cluster that are made between its steps change nothing', () => {
    fc.assert(
      fc.property(snapshot, fc.array(fc.boolean(), { minLength: 1, maxLength: 9 }), (cluster, pattern) => {
        const expected = proposeCommand(aContext(structuredClone(cluster)));
        const steps = proposing(aContext(cluster));
        let other = proposing(aContext(turned(cluster)));
        let step = steps.next();
        for (let turn = 0; step.done !== true; turn++) {
          if (pattern[turn % pattern.length] === true && other.next().done === true) other = proposing(aContext(turned(cluster)));
          step = steps.next();
        }
        expect(step.value).toEqual(expected);
      }),
    );
  });

  test('a command stays within the budgets, and holds at once', () => {
    fc.assert(
      fc.property(snapshot, (cluster) => {
        const { command, blocked } = proposeCommand(aContext(cluster));
        if (command === undefined) return;
        const ledger = budgetLedger(aContext(cluster), command.reason);
        expect(command.candidates.filter(({ nodePool }) => !ledger.take(nodePool.nodePool.metadata.name))).toEqual([]);
        expect(command.candidates.filter(({ node }) => blocked.has(node.name))).toEqual([]);
        expect(isStillValid(command, aContext(cluster))).toMatchObject({
          valid: true,
          command: { candidates: command.candidates.map(({ node: { name } }) => ({ node: { name } })) },
        });
      }),
    );
  });

  test('consolidation saves money: the replacements cost less than the candidates', () => {
    fc.assert(
      fc.property(snapshot, (cluster) => {
        const { command } = proposeCommand(aContext(cluster));
        if (command?.reason !== 'Underutilized') return;
        const after = command.replacements.map(({ cheapest }) => cheapest.offering.pricePerHour);
        expect(command.savingsPerHour).toBeGreaterThan(0);
        expect(after.reduce((sum, price) => sum + price, 0)).toBeLessThan(totalPrice(command.candidates));
      }),
    );
  });

  test('nodes that go without replacement leave room enough for their pods', () => {
    fc.assert(
      fc.property(snapshot, (cluster) => {
        const { command } = proposeCommand(aContext(cluster));
        if (command?.decision !== 'delete') return;
        const gone = new Set(command.candidates.map(({ node }) => node.name));
        const rest = cluster.nodes.filter(({ name }) => !gone.has(name));
        const room = rest.reduce((sum, { allocatable, pods }) => sum + Math.max(0, (allocatable['cpu'] ?? 0) - cpuMillisOf(pods)), 0);
        expect(cpuMillisOf(command.candidates.flatMap(({ reschedulablePods }) => reschedulablePods))).toBeLessThanOrEqual(room);
      }),
    );
  });
});
