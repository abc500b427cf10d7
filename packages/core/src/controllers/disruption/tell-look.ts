import type { DisruptionReason } from '../../apis/index.ts';
import { leaveAloneWishOf } from '../../cluster/index.ts';
import type { ClusterSnapshot } from '../../cluster/index.ts';
import { disruptionAllowances } from '../../disruption/index.ts';
import type { DisruptionContext, Proposal } from '../../disruption/index.ts';
import { isActive } from '../../kube/index.ts';
import type { KeptNode, PodWish } from '../../ports/index.ts';
import type { Shell } from '../shell.ts';

const keptNodes = ({ blocked }: Proposal, { nodes }: ClusterSnapshot): readonly KeptNode[] =>
  nodes.flatMap((node) => {
    const blocker = blocked.get(node.name);
    return blocker === undefined ? [] : [{ node, blocker }];
  });

/** What pods of Karpenter's nodes say about being left alone. */
const wishesIn = ({ nodes }: ClusterSnapshot, nowMs: number): readonly PodWish[] =>
  nodes
    .filter(({ claim }) => claim !== undefined)
    .flatMap(({ pods }) => pods.filter(isActive))
    .flatMap((pod) => {
      const wish = leaveAloneWishOf(pod, nowMs);
      return wish === undefined ? [] : [{ pod, wish }];
    });

const REASONS: readonly DisruptionReason[] = ['Underutilized', 'Empty', 'Drifted'];

/** Tells what a look at the cluster has shown, whatever comes of it. */
export const tellLook = ({ reporter }: Pick<Shell, 'reporter'>, { snapshot, nowMs }: DisruptionContext, proposal: Proposal): void => {
  reporter.report({ kind: 'nodes-kept', kept: keptNodes(proposal, snapshot) });
  reporter.report({ kind: 'budgets-read', allowances: disruptionAllowances({ snapshot, nowMs }, REASONS) });
  reporter.report({ kind: 'candidates-counted', eligible: proposal.eligible });
  reporter.report({ kind: 'moves-weighed', moves: proposal.weighed });
  reporter.report({ kind: 'wishes-read', wishes: wishesIn(snapshot, nowMs) });
};
