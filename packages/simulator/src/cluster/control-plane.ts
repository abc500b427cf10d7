import type { TopologySpreadConstraint } from '@karpenter/core/internal';
import type { Clock } from '@karpenter/runtime';
import type { LocalApi } from '@karpenter/api-server';
import { type ControlDeps, together } from './control/control-deps.ts';
import { startDeviceClaims } from './devices/device-claims.ts';
import { createPodIndex } from './control/pod-index.ts';
import { startDisruptionController } from './housekeeping/disruption-controller.ts';
import { startGarbageCollector } from './housekeeping/garbage-collector.ts';
import { startNamespaceDeletion } from './housekeeping/namespace-deletion.ts';
import { startQuotaController } from './housekeeping/quota-controller.ts';
import { startCloudNode } from './nodes/cloud-node.ts';
import type { CloudView } from './nodes/cloud-view.ts';
import { startEventExpiry } from './nodes/event-expiry.ts';
import { startNodeLifecycle } from './nodes/node-lifecycle.ts';
import { startPodGarbage } from './nodes/pod-garbage.ts';
import { startTaintEviction } from './nodes/taint-eviction.ts';
import { startBinder } from './scheduler/binder.ts';
import { startEphemeralClaims } from './storage/ephemeral-claims.ts';
import { startVolumeAttacher } from './storage/volume-attacher.ts';
import { startVolumeProvisioner } from './storage/volume-provisioner.ts';
import { startAutoscalers } from './workloads/autoscaler.ts';
import { startCronJobs } from './workloads/cron-job.ts';
import { startDaemonSets } from './workloads/daemon-set.ts';
import { startDeployments } from './workloads/deployment.ts';
import { startEndpoints } from './workloads/endpoints.ts';
import { startJobs } from './workloads/job.ts';
import { startReplicaSets } from './workloads/replica-set.ts';
import { startStatefulSets } from './workloads/stateful-set.ts';

export interface ControlPlaneOptions {
  readonly api: LocalApi;
  readonly clock: Clock;
  /** How long a node may be silent before it is marked unreachable, in ms. Default 40,000. */
  readonly nodeGraceMs?: number | undefined;
  /** Without one, nodes are never uninitialized and never deleted for a machine that is gone. */
  readonly cloud?: CloudView | undefined;
  /** For pods that have no topology spread of their own. Default none: kube-scheduler's built-in default is not played. */
  readonly defaultSpread?: readonly TopologySpreadConstraint[] | undefined;
  /** Whether objects go whose owners are not there. Default true; false for a cluster whose workloads stay outside. */
  readonly collectsGarbage?: boolean | undefined;
}

const CONTROLLERS = [
  startNamespaceDeletion,
  startDisruptionController,
  startQuotaController,
  startDeployments,
  startReplicaSets,
  startStatefulSets,
  startDaemonSets,
  startJobs,
  startCronJobs,
  startEndpoints,
  startAutoscalers,
  startTaintEviction,
  startPodGarbage,
  startEphemeralClaims,
  startDeviceClaims,
  startVolumeProvisioner,
  startVolumeAttacher,
  startEventExpiry,
];

/** How long a node may be silent before it is marked unreachable, as in kube-controller-manager. */
export const DEFAULT_NODE_GRACE_MS = 40_000;

/**
 * Starts what a control plane has beside its API server: the pod binder, the workload controllers, node lifecycle, the
 * cloud's part.
 */
export const startControlPlane = ({ api, clock, ...options }: ControlPlaneOptions): Disposable => {
  const { nodeGraceMs, cloud, defaultSpread, collectsGarbage = true } = options;
  const deps: ControlDeps = { api, clock, pods: createPodIndex(api) };
  return together(
    ...(collectsGarbage ? [startGarbageCollector(deps)] : []),
    startBinder(api, clock, defaultSpread),
    ...CONTROLLERS.map((start) => start(deps)),
    startNodeLifecycle(deps, nodeGraceMs ?? DEFAULT_NODE_GRACE_MS),
    ...(cloud === undefined ? [] : [startCloudNode(deps, cloud)]),
    deps.pods,
  );
};
