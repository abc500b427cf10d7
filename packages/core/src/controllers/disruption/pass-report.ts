import type { DisruptionReason } from '../../apis/index.ts';
import { disruptionAllowances } from '../../disruption/index.ts';
import type { DisruptionContext, DisruptionMethod, Proposal } from '../../disruption/index.ts';
import type { Shell } from '../shell.ts';
import { doNotDisruptStatusOf } from '../../cluster/index.ts';
import type { ClusterSnapshot, NodeView } from '../../cluster/index.ts';
import { isActive, resizeTroubleOf } from '../../kube/index.ts';
import type { Decision, KeptNode, PodDoNotDisrupt, StuckResize } from '../../ports/index.ts';

const REASON_OF_METHOD: Readonly<Record<DisruptionMethod, DisruptionReason>> = {
  emptiness: 'Empty',
  'static-drift': 'Drifted',
  drift: 'Drifted',
  rebalance: 'Underutilized',
  'multi-node': 'Underutilized',
  'single-node': 'Underutilized',
};

/** A stopwatch for the methods of a pass: reports how long each ran, until the next one started or the pass ended. */
export const methodWatch = ({ clock, reporter }: Pick<Shell, 'clock' | 'reporter'>) => {
  let running: { readonly method: DisruptionMethod; readonly startMs: number } | undefined;
  const end = (): void => {
    if (running === undefined) return;
    const { method, startMs } = running;
    reporter.report({ kind: 'method-evaluated', method, reason: REASON_OF_METHOD[method], tookMs: clock.now() - startMs });
    running = undefined;
  };
  return {
    onMethodStart: (method: DisruptionMethod): void => {
      end();
      running = { method, startMs: clock.now() };
    },
    end,
    /** How long the current method has been running. */
    runningMs: (): number => (running === undefined ? 0 : clock.now() - running.startMs),
  };
};

const keptNodes = ({ blocked }: Proposal, { nodes }: ClusterSnapshot): readonly KeptNode[] =>
  nodes.flatMap((node) => {
    const blocker = blocked.get(node.name);
    return blocker === undefined ? [] : [{ node, blocker }];
  });

const ownNodes = ({ nodes }: ClusterSnapshot): readonly NodeView[] => nodes.filter(({ claim }) => claim !== undefined);

/** Pods of Karpenter's nodes whose `do-not-disrupt` is more than a plain `true`. */
const doNotDisruptIn = (snapshot: ClusterSnapshot, nowMs: number): readonly PodDoNotDisrupt[] =>
  ownNodes(snapshot)
    .flatMap(({ pods }) => pods.filter(isActive))
    .flatMap((pod) => {
      const status = doNotDisruptStatusOf(pod, nowMs);
      return status === undefined ? [] : [{ pod, status }];
    });

/** Pods of Karpenter's nodes whose resize in place does not go on. */
const stuckResizesIn = (snapshot: ClusterSnapshot): readonly StuckResize[] =>
  ownNodes(snapshot).flatMap(({ name: nodeName, pods }) =>
    pods.filter(isActive).flatMap((pod) => {
      const trouble = resizeTroubleOf(pod);
      return trouble === undefined ? [] : [{ pod, nodeName, trouble }];
    }),
  );

const REASONS: readonly DisruptionReason[] = ['Underutilized', 'Empty', 'Drifted'];

/**
 * Reports what a pass has found, whether or not it leads to a command. Each part is made apart: one that throws costs
 * the others nothing.
 */
export const reportPass = ({ reporter }: Pick<Shell, 'reporter'>, { snapshot, nowMs }: DisruptionContext, proposal: Proposal): void => {
  const parts: readonly (() => Decision)[] = [
    () => ({ kind: 'nodes-kept', kept: keptNodes(proposal, snapshot) }),
    () => ({ kind: 'budgets-read', allowances: disruptionAllowances({ snapshot, nowMs }, REASONS) }),
    () => ({ kind: 'candidates-counted', eligible: proposal.eligible }),
    () => ({ kind: 'moves-weighed', moves: proposal.weighed }),
    () => ({ kind: 'do-not-disrupt-read', pods: doNotDisruptIn(snapshot, nowMs) }),
    () => ({ kind: 'resizes-read', pods: stuckResizesIn(snapshot) }),
  ];
  for (const part of parts) {
    try {
      reporter.report(part());
    } catch (error) {
      reporter.report({ kind: 'report-failed', about: 'pass of disruption', error });
    }
  }
};
