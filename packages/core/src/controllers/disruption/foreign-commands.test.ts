import { describe, expect, test } from '@jest/globals';
import { disruptedTaint, nodeClaimConditions } from '../../apis/index.ts';
import type { Taint } from '../../kube/index.ts';
import { FakeCluster } from '../../ports/fixtures/fake-cluster.ts';
import { defaultSchedulingPolicy } from '../../scheduling/index.ts';
import { commandRecordText, REPLACES_ANNOTATION } from '../../state/index.ts';
import { fakeShell } from '../fixtures/fake-shell.ts';
import { pureDecisions } from '../shell.ts';
import { commandQueue } from './command-queue.ts';
import { CommandRuns } from './command-runs.ts';
import { disruption } from './disruption.ts';

const { signal } = new AbortController();
const { launched, registered, initialized, disruptionReason } = nodeClaimConditions;
const conditionSince = (type: string) => ({
  type,
  status: 'True' as const,
  reason: type,
  message: '',
  lastTransitionTime: '2026-01-01T00:00:00Z',
});

interface Theirs {
  readonly conditions?: readonly string[];
  readonly annotations?: Readonly<Record<string, string>>;
  readonly taints?: readonly Taint[];
}

/** A cluster with nodes that another Karpenter leads, of a class that our provider knows nothing of. */
const aClusterOfOthers = (nodes: Readonly<Record<string, Theirs>>) => {
  const cluster = new FakeCluster();
  for (const [name, { conditions = [], annotations = {}, taints = [] }] of Object.entries(nodes)) {
    const labels = { 'karpenter.sh/nodepool': 'theirs', 'karpenter.sh/registered': 'true', 'karpenter.sh/initialized': 'true' };
    const providerID = `others://${name}`;
    cluster.seed('NodeClaim', {
      metadata: { name, uid: name, annotations, labels },
      spec: { requirements: [], nodeClassRef: { group: 'other.dev', kind: 'OtherNodeClass', name: 'default' } },
      status: { providerID, conditions: [launched, registered, initialized, ...conditions].map(conditionSince) },
    });
    cluster.seed('Node', { metadata: { name, labels }, spec: { providerID, taints }, status: { conditions: [conditionSince('Ready')] } });
  }
  const shell = fakeShell(cluster);
  const options = { policy: defaultSchedulingPolicy, spotToSpot: false, passMs: 60_000, validationMs: 15_000 };
  const deps = { shell, decisions: pureDecisions, runs: new CommandRuns(shell.state), options };
  const reconcile = async (): Promise<void> => {
    await disruption(deps).reconcile({ signal });
    await commandQueue(deps).reconcile({ signal });
  };
  return { cluster, shell, reconcile };
};

describe('of two Karpenters in one cluster, each with a cloud of its own', () => {
  test('neither takes the taint from a node that the other has tainted', async () => {
    const { cluster, reconcile } = aClusterOfOthers({ closed: { conditions: [disruptionReason], taints: [disruptedTaint] } });
    await reconcile();
    expect(cluster.writes).toEqual([]);
  });

  test('neither carries on with a command of the other', async () => {
    const record = { id: 'c', method: 'drift', reason: 'Drifted', startedMs: Date.UTC(2026, 0, 1), candidates: ['old'] } as const;
    const { cluster, reconcile } = aClusterOfOthers({
      old: { conditions: [disruptionReason], taints: [disruptedTaint] },
      new: { annotations: { [REPLACES_ANNOTATION]: commandRecordText({ ...record, replacements: 1, savingsPerHour: 0 }) } },
    });
    await reconcile();
    expect(cluster.writes).toEqual([]);
  });

  test('neither reports why the other keeps a node', async () => {
    const { shell, reconcile } = aClusterOfOthers({ busy: {} });
    await reconcile();
    expect(shell.reported.flatMap((decision) => (decision.kind === 'nodes-kept' ? decision.kept : []))).toEqual([]);
  });
});
