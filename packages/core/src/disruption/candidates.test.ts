import { describe, expect, test } from '@jest/globals';
import type { Budget, DisruptionReason } from '../apis/index.ts';
import type { NodePoolView, NodeView } from '../cluster/index.ts';
import type { PodDisruptionBudget } from '../kube/index.ts';
import type { Blocker } from './blockers/blocker.ts';
import { proposeCommand } from './command-proposal.ts';
import { aBudget, aCluster, aNode, aRunningPod, aPool, NOW } from './testing/a-cluster.ts';
import { aContext, anEmptyPlan } from './testing/a-context.ts';

const doNotDisrupt = (value: string) => ({ annotations: { 'karpenter.sh/do-not-disrupt': value } });
const web = aRunningPod('web');

interface Case {
  readonly node: NodeView;
  readonly blocker: Blocker;
  readonly nodePools?: readonly NodePoolView[];
  readonly podDisruptionBudgets?: readonly PodDisruptionBudget[];
}

const noneFor = (reason: DisruptionReason): Budget => ({ nodes: '0', reasons: [reason] });

const ofNode = { apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'n' };

test('a mirror pod does not keep its node by a PodDisruptionBudget: it is not evicted', () => {
  const mirror = aRunningPod('static', 1, { metadata: { ownerReferences: [ofNode] } });
  const snapshot = aCluster([aNode('n', { pods: [mirror] })], { podDisruptionBudgets: [aBudget('static', 0)] });
  expect(proposeCommand(aContext(snapshot)).command).toMatchObject({ method: 'emptiness', candidates: [{ node: { name: 'n' } }] });
});

describe('a node stays, and says why', () => {
  test.each<[string, Case]>([
    ['that is on its way out', { node: aNode('n', { isMarkedForDeletion: true }), blocker: { kind: 'marked' } }],
    ['whose machine has not joined', { node: aNode('n', { hasNode: false }), blocker: { kind: 'not-initialized' } }],
    ['that is still coming up', { node: aNode('n', { isInitialized: false }), blocker: { kind: 'not-initialized' } }],
    ['that a pod is expected on', { node: aNode('n', { nominatedUntilMs: NOW + 1 }), blocker: { kind: 'nominated', untilMs: NOW + 1 } }],
    ['with do-not-disrupt', { node: aNode('n', doNotDisrupt('true')), blocker: { kind: 'do-not-disrupt-node' } }],
    ['whose pool is not there', { node: aNode('n', { nodePoolName: 'old' }), blocker: { kind: 'unknown-node-pool', nodePoolName: 'old' } }],
    ['whose pool is static', { node: aNode('n'), nodePools: [aPool({ replicas: 1 })], blocker: { kind: 'static' } }],
    [
      'with a pod with do-not-disrupt',
      {
        node: aNode('n', { pods: [web, aRunningPod('job', 1, { metadata: doNotDisrupt('true') })] }),
        blocker: { kind: 'do-not-disrupt-pod', pod: 'default/job' },
      },
    ],
    [
      'with a daemon pod with do-not-disrupt',
      {
        node: aNode('n', {
          pods: [
            aRunningPod('agent', 1, {
              metadata: { ...doNotDisrupt('true'), ownerReferences: [{ apiVersion: 'v1', kind: 'DaemonSet', name: 'a', uid: 'a' }] },
            }),
          ],
        }),
        blocker: { kind: 'do-not-disrupt-pod', pod: 'default/agent' },
      },
    ],
    [
      'with a mirror pod with do-not-disrupt',
      {
        node: aNode('n', { pods: [aRunningPod('static', 1, { metadata: { ...doNotDisrupt('true'), ownerReferences: [ofNode] } })] }),
        blocker: { kind: 'do-not-disrupt-pod', pod: 'default/static' },
      },
    ],
    [
      'with a pod that its budget protects',
      {
        node: aNode('n', { pods: [web] }),
        podDisruptionBudgets: [aBudget('web', 0)],
        blocker: { kind: 'pdb', pod: 'default/web', budget: 'default/web-budget' },
      },
    ],
    [
      'whose pool deletes empty nodes only',
      {
        node: aNode('n', { pods: [web] }),
        nodePools: [aPool({ disruption: { consolidationPolicy: 'WhenEmpty' } })],
        blocker: { kind: 'policy', policy: 'WhenEmpty' },
      },
    ],
    ['whose price is not known', { node: aNode('n', { cpus: 3, pods: [web] }), blocker: { kind: 'unknown-price' } }],
    [
      'whose pods changed just now',
      { node: aNode('n', { pods: [web], isConsolidatable: false }), blocker: { kind: 'consolidate-after', consolidateAfter: '0s' } },
    ],
    [
      'whose pool never consolidates',
      {
        node: aNode('n'),
        nodePools: [aPool({ disruption: { consolidateAfter: 'Never' } })],
        blocker: { kind: 'consolidate-after', consolidateAfter: 'Never' },
      },
    ],
    [
      'that is empty, where the budget is used up',
      {
        node: aNode('n'),
        nodePools: [aPool({ disruption: { budgets: [{ nodes: '3' }, noneFor('Empty')] } })],
        blocker: { kind: 'budget', reason: 'Empty', nodePoolName: 'default', allowed: 0, disrupting: 0, budget: noneFor('Empty') },
      },
    ],
    [
      'with pods, where the budget is used up',
      {
        node: aNode('n', { pods: [web] }),
        nodePools: [aPool({ disruption: { budgets: [{ nodes: '3' }, noneFor('Underutilized')] } })],
        blocker: {
          kind: 'budget',
          reason: 'Underutilized',
          nodePoolName: 'default',
          allowed: 0,
          disrupting: 0,
          budget: noneFor('Underutilized'),
        },
      },
    ],
    [
      'that has drifted, but has a pod with do-not-disrupt and no grace period that would end it',
      {
        node: aNode('n', { driftedAt: '2026-11-20T09:00:00Z', pods: [aRunningPod('job', 1, { metadata: doNotDisrupt('true') })] }),
        blocker: { kind: 'do-not-disrupt-pod', pod: 'default/job' },
      },
    ],
  ])('%s', (_, { node, blocker, ...rest }) => {
    const { command, blocked } = proposeCommand(aContext(aCluster([node], rest), { simulate: () => anEmptyPlan }));
    expect(command).toBeUndefined();
    expect(blocked.get('n')).toEqual(blocker);
  });
});

describe('a node may go', () => {
  test.each<[string, NodeView]>([
    ['once the pod that was expected has not come', aNode('n', { nominatedUntilMs: NOW })],
    [
      'when the do-not-disrupt of a pod has passed',
      aNode('n', {
        pods: [
          { ...aRunningPod('job', 1, { metadata: doNotDisrupt('10m') }), status: { phase: 'Running', startTime: '2026-11-20T09:00:00Z' } },
        ],
      }),
    ],
    ['when the do-not-disrupt of the node cannot be read', aNode('n', doNotDisrupt('maybe'))],
    ['when the protected pod is done', aNode('n', { pods: [{ ...web, status: { phase: 'Succeeded' } }] })],
  ])('%s', (_, node) => {
    const snapshot = aCluster([node], { podDisruptionBudgets: [aBudget('web', 0)] });
    expect(proposeCommand(aContext(snapshot, { simulate: () => anEmptyPlan })).command?.candidates[0]?.node.name).toBe('n');
  });

  test('a node that is not Karpenter’s is neither taken nor explained', () => {
    const { claim: _, ...foreign } = aNode('n');
    expect(proposeCommand(aContext(aCluster([foreign])))).toMatchObject({ blocked: new Map(), evaluated: new Set(), weighed: [] });
  });
});

test('a node that cannot be read stays, whatever runs on it, and holds up no other', () => {
  const broken = aRunningPod('odd', 1, { spec: { containers: [{ name: 'main', resources: { requests: { cpu: 'much' } } }] } });
  const { command, blocked } = proposeCommand(aContext(aCluster([aNode('a', { pods: [broken] }), aNode('b')])));
  expect(command?.candidates.map(({ node }) => node.name)).toEqual(['b']);
  expect(blocked.get('a')).toMatchObject({ kind: 'unreadable', problem: { value: 'much' } });
});
