import { putCondition } from '../objects/conditions.ts';
import type { Container, KubeletContainerStatus, PodObject, KubeletPodStatus } from '../objects/pod.ts';

/** Where a pod runs, as its status shows it. */
export interface PodPlace {
  readonly now: string;
  readonly hostIp: string;
  readonly podIp: string;
}

type End = 'Succeeded' | 'Failed';

const RUNNING_CONDITIONS = ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'] as const;

const statusOf = (container: Container, state: Readonly<Record<string, unknown>>, isRunning: boolean): KubeletContainerStatus => {
  const image = container.image ?? '';
  const imageID = `${image}@sha256:${'0'.repeat(64)}`;
  return { name: container.name, image, imageID, ready: isRunning, started: isRunning, restartCount: 0, state };
};

const conditionsOf = (pod: PodObject, types: Readonly<Record<string, 'True' | 'False'>>, now: string): KubeletPodStatus => {
  let conditions = pod.status?.conditions ?? [];
  for (const [type, status] of Object.entries(types)) conditions = putCondition(conditions, { type, status }, now);
  return { conditions };
};

/** The status of a pod whose containers all run. */
export const runningStatus = (pod: PodObject, { now, hostIp, podIp }: PodPlace): KubeletPodStatus => {
  const allTrue = Object.fromEntries(RUNNING_CONDITIONS.map((type) => [type, 'True' as const]));
  const initialised = { terminated: { exitCode: 0, reason: 'Completed', startedAt: now, finishedAt: now } };
  return {
    ...pod.status,
    ...conditionsOf(pod, allTrue, now),
    phase: 'Running',
    startTime: pod.status?.startTime ?? now,
    hostIP: hostIp,
    podIP: podIp,
    podIPs: [{ ip: podIp }],
    containerStatuses: pod.spec.containers.map((container) => statusOf(container, { running: { startedAt: now } }, true)),
    ...(pod.spec.initContainers === undefined
      ? {}
      : {
          initContainerStatuses: pod.spec.initContainers.map((container) =>
            statusOf(container, initialised, container.restartPolicy === 'Always'),
          ),
        }),
  };
};

/** The status of a pod whose containers have all ended. */
export const endedStatus = (pod: PodObject, end: End, now: string): KubeletPodStatus => {
  const exitCode = end === 'Succeeded' ? 0 : 1;
  const reason = end === 'Succeeded' ? 'Completed' : 'Error';
  const startedAt = pod.status?.startTime ?? now;
  return {
    ...pod.status,
    ...conditionsOf(pod, { Ready: 'False', ContainersReady: 'False' }, now),
    phase: end,
    containerStatuses: pod.spec.containers.map((container) =>
      statusOf(container, { terminated: { exitCode, reason, startedAt, finishedAt: now } }, false),
    ),
  };
};
