import type { Creating, Deleting, PodNominations } from '../actions/index.ts';
import type { CloudProvider } from '../cloudprovider/index.ts';
import type { Clock, EventRecording } from '../ports/index.ts';
import type { ClusterState } from '../state/index.ts';
import type { Isolation } from './isolation/isolation.ts';
import type { PlanGuard } from './isolation/plan-guard.ts';

/** What the controllers share. */
export interface Shell extends Creating, Deleting {
  readonly provider: CloudProvider;
  readonly clock: Clock;
  readonly state: ClusterState;
  readonly events: EventRecording;
  /** What triggers bugs, shared by the controllers that see the whole cluster. */
  readonly isolation: Isolation;
  /** Breaks crash loops of plans. */
  readonly planGuard: PlanGuard;
  /** How much of its memory the process uses, from 0 to 1. */
  readonly memoryUse: () => number;
  /** Absent: pods are not nominated for kube-scheduler. */
  readonly podNominations?: PodNominations;
}
