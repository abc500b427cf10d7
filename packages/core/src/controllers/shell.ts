import type { Creating, Deleting, PodNominations } from '../actions/index.ts';
import type { CloudProvider } from '../cloudprovider/index.ts';
import type { Clock, EventRecorder } from '../ports/index.ts';
import type { ClusterState } from '../state/index.ts';
import type { Isolation } from './isolation/isolation.ts';

/** What the controllers share. */
export interface Shell extends Creating, Deleting {
  readonly provider: CloudProvider;
  readonly clock: Clock;
  readonly state: ClusterState;
  readonly events: EventRecorder;
  /** What triggers bugs, shared by the controllers that see the whole cluster. */
  readonly isolation: Isolation;
  /** Absent: kube-scheduler is not told where pods were planned. */
  readonly podNominations?: PodNominations;
}
