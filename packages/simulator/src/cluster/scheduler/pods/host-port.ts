import type { WorkloadPodSpec } from '../../objects/pod.ts';

/** A port of the node itself that a pod wants. `0.0.0.0` stands for every address. */
export interface BoundHostPort {
  readonly ip: string;
  readonly protocol: string;
  readonly port: number;
}

const ANY = '0.0.0.0';

/** Ports of the running containers and of sidecars; plain init containers hold none. */
export const boundHostPortsOf = (spec: WorkloadPodSpec): readonly BoundHostPort[] =>
  [...spec.containers, ...(spec.initContainers ?? []).filter((container) => container.restartPolicy === 'Always')]
    .flatMap((container) => container.ports ?? [])
    .flatMap(({ hostPort = 0, hostIP, protocol = 'TCP' }) =>
      hostPort > 0 ? [{ ip: hostIP === undefined || hostIP === '' ? ANY : hostIP, protocol, port: hostPort }] : [],
    );

/** Whether two pods cannot hold these ports on one node. */
export const collides = (a: BoundHostPort, b: BoundHostPort): boolean =>
  a.port === b.port && a.protocol === b.protocol && (a.ip === b.ip || a.ip === ANY || b.ip === ANY);
