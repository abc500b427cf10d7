import type { PodSpec } from '@karpenter/core/internal';

interface Port {
  readonly text: string;
  readonly ip: string;
}

const EVERY = ['', '0.0.0.0'];

const portsOf = (spec: PodSpec): readonly Port[] => {
  const found: Port[] = [];
  const sidecars = (spec.initContainers ?? []).filter((container) => container.restartPolicy === 'Always');
  for (const container of [...spec.containers, ...sidecars]) {
    for (const { hostPort, hostIP = '', protocol = 'TCP' } of container.ports ?? []) {
      if (hostPort !== undefined && hostPort !== 0) found.push({ text: `${protocol} ${hostPort}`, ip: hostIP });
    }
  }
  return found;
};

const collide = (a: Port, b: Port): boolean => a.text === b.text && (a.ip === b.ip || EVERY.includes(a.ip) || EVERY.includes(b.ip));

/**
 * A port that one of the pods would hold though another has it, one that is there or another of them; undefined when
 * there is none. Source: Kubernetes, scheduler plugin `NodePorts`.
 */
export const contestedPort = (coming: readonly PodSpec[], there: readonly PodSpec[] = []): string | undefined => {
  const held = there.flatMap(portsOf);
  for (const spec of coming) {
    const own = portsOf(spec);
    const contested = own.find((port) => held.some((other) => collide(port, other)));
    if (contested !== undefined) return contested.text;
    held.push(...own);
  }
  return undefined;
};
