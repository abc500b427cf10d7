import type { Container, PodSpec } from './pod.ts';

/** A port of the node itself that a pod holds as long as it runs. */
export interface HostPort {
  readonly protocol: string;
  readonly port: number;
  /** `ANY_ADDRESS`: on every address of the node. */
  readonly address: string;
}

/** What a host port without `hostIP` is on. */
export const ANY_ADDRESS = '0.0.0.0';

const addressOf = (hostIP: string | undefined): string => (hostIP === undefined || hostIP === '' ? ANY_ADDRESS : hostIP);

const NONE: readonly HostPort[] = [];

const holdsPorts = ({ ports }: Container): boolean => ports !== undefined && ports.some(({ hostPort = 0 }) => hostPort > 0);

/**
 * The host ports of a pod: of its containers and of its sidecars; other init containers hold theirs only while they
 * run. A pod without any, which is nearly every pod, costs a look. Source: Kubernetes, `schedutil.GetHostPorts`.
 * Differs: the original forgets the sidecars.
 */
export const hostPortsOf = ({ containers, initContainers = [] }: PodSpec): readonly HostPort[] => {
  if (!containers.some(holdsPorts) && !initContainers.some(holdsPorts)) return NONE;
  const running = [...containers, ...initContainers.filter(({ restartPolicy }) => restartPolicy === 'Always')];
  return running
    .flatMap(({ ports = [] }) => ports)
    .flatMap(({ hostPort = 0, hostIP, protocol }) =>
      hostPort > 0 ? [{ protocol: protocol ?? 'TCP', port: hostPort, address: addressOf(hostIP) }] : [],
    );
};
