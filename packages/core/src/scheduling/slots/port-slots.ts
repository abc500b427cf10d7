import { ANY_ADDRESS, hostPortsOf, isDaemonPod } from '../../kube/index.ts';
import type { HostPort, Resources } from '../../kube/index.ts';
import type { ClusterSnapshot, Daemon } from '../../cluster/index.ts';
import type { Steps } from '../../base/index.ts';

/** The slots of host ports: of each, a node has one. */
export interface PortSlots {
  readonly names: readonly string[];
  /** One of each slot that the ports need; ports that nobody else wants need none. */
  readonly takenBy: (ports: readonly HostPort[]) => Resources;
}

/** Who wants one port of one protocol, on which addresses. */
interface Wanted {
  readonly addresses: Set<string>;
  holders: number;
  /** Whether a pod that may need a place is among the holders. */
  isSought: boolean;
}

const portText = ({ port, protocol }: HostPort): string => `host port ${port}/${protocol}`;

const NONE: Resources = {};

/** An address that is named has a slot of its own, all others share one; a port on any address takes them all. */
const slotsOf = (wanted: ReadonlyMap<string, Wanted>): PortSlots => {
  const byPort = new Map<string, readonly string[]>();
  for (const [text, { addresses, holders, isSought }] of wanted) {
    if (isSought && holders > 1) byPort.set(text, [text, ...[...addresses].sort().map((address) => `${text} on ${address}`)]);
  }
  const slotsFor = (hostPort: HostPort): readonly string[] => {
    const text = portText(hostPort);
    const slots = byPort.get(text) ?? [];
    return hostPort.address === ANY_ADDRESS ? slots : slots.filter((slot) => slot === `${text} on ${hostPort.address}`);
  };
  return {
    names: [...byPort.values()].flat(),
    takenBy: (ports) => (ports.length === 0 ? NONE : Object.fromEntries(ports.flatMap(slotsFor).map((slot) => [slot, 1]))),
  };
};

/**
 * The host ports that two pods of the snapshot could get in each other's way with. Ports conflict when protocol and number are the same and
 * the addresses are, or one of them is every address.
 * Source: Kubernetes, `framework.HostPortInfo`.
 */
export function* readingPorts({ pendingPods, nodes }: ClusterSnapshot, daemons: readonly Daemon[]): Steps<PortSlots> {
  const wanted = new Map<string, Wanted>();
  const note = (ports: readonly HostPort[], isSought: boolean): void => {
    for (const hostPort of ports) {
      const text = portText(hostPort);
      const known = wanted.get(text) ?? { addresses: new Set(), holders: 0, isSought: false };
      wanted.set(text, known);
      if (hostPort.address !== ANY_ADDRESS) known.addresses.add(hostPort.address);
      known.holders++;
      known.isSought ||= isSought;
    }
  };
  for (const { ports } of daemons) note(ports, false);
  for (const { spec } of pendingPods) note(hostPortsOf(spec), true);
  for (const { pods } of nodes) {
    for (const pod of pods) note(hostPortsOf(pod.spec), !isDaemonPod(pod));
    yield;
  }
  return slotsOf(wanted);
}
