import type { Creating, Deleting, PodNominations } from '../actions/index.ts';
import type { CloudProvider } from '../cloudprovider/index.ts';
import type { Clock, EventRecorder } from '../ports/index.ts';
import type { ClusterState } from '../state/index.ts';

/** What the controllers share. */
export interface Shell extends Creating, Deleting {
  readonly provider: CloudProvider;
  readonly clock: Clock;
  readonly state: ClusterState;
  readonly events: EventRecorder;
  /** Absent: kube-scheduler is not told where pods were planned. */
  readonly podNominations?: PodNominations;
}
