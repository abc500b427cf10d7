import { getOrMake, highestOf } from '../../base/index.ts';
import { ANY_ADDRESS, hostPortsOf, isDaemonPod } from '../../kube/index.ts';
import type { HostPort, Resources } from '../../kube/index.ts';
import type { ClusterSnapshot, Daemon } from '../../cluster/index.ts';
import type { Steps } from '../../base/index.ts';

/** The slots of host ports. Their number and their cost are linear in the ports that pods hold. */
export interface PortSlots {
  readonly names: readonly string[];
  /** Slot → how much of it a node has. */
  readonly onNode: Resources;
  /** How much of each slot the ports take; ports that nobody else wants take none. */
  readonly takenBy: (ports: readonly HostPort[]) => Resources;
}

/** Who wants one port of one protocol. */
interface Wanted {
  /** Address → how many want the port there; those of every address stand under `ANY_ADDRESS`. */
  readonly addresses: Map<string, number>;
  holders: number;
  /** Whether a pod that may need a place is among the holders. */
  isSought: boolean;
}

/** The ports of one pod or daemon. */
interface Holder {
  readonly ports: readonly HostPort[];
  readonly isSought: boolean;
}

const portText = ({ port, protocol }: HostPort): string => `host port ${port}/${protocol}`;
const addressText = (text: string, address: string): string => `${text} on ${address}`;

const NONE: Resources = {};

/** How many ports are read without a pause: about a millisecond. */
const PORTS_A_STEP = 2048;

function* countingWanted(holders: readonly Holder[]): Steps<ReadonlyMap<string, Wanted>> {
  const wanted = new Map<string, Wanted>();
  let read = 0;
  for (const { ports, isSought } of holders) {
    for (const hostPort of ports) {
      const text = portText(hostPort);
      const known = getOrMake(wanted, text, () => ({ addresses: new Map<string, number>(), holders: 0, isSought: false }));
      known.addresses.set(hostPort.address, (known.addresses.get(hostPort.address) ?? 0) + 1);
      known.holders++;
      known.isSought ||= isSought;
      if (++read % PORTS_A_STEP === 0) yield;
    }
  }
  return wanted;
}

/**
 * Slot → its size on a node. A port that some holder wants on every address has one slot, as large as the number of
 * holders. That holder takes all of it, and a holder on a single address takes 1. An address that two holders name has
 * a slot of its own.
 */
const capacities = (wanted: ReadonlyMap<string, Wanted>): ReadonlyMap<string, number> => {
  const found = new Map<string, number>();
  for (const [text, { addresses, holders, isSought }] of wanted) {
    if (!isSought || holders < 2) continue;
    if (addresses.has(ANY_ADDRESS)) found.set(text, addresses.size === 1 ? 1 : holders);
    for (const [address, count] of addresses) if (address !== ANY_ADDRESS && count > 1) found.set(addressText(text, address), 1);
  }
  return found;
};

/** Slot → how much of it the ports take. */
const slotsOf = (ports: readonly HostPort[], onNode: ReadonlyMap<string, number>): ReadonlyMap<string, number> => {
  const taken = new Map<string, number>();
  for (const hostPort of ports) {
    const text = portText(hostPort);
    const isOnAny = hostPort.address === ANY_ADDRESS;
    const whole = onNode.get(text);
    if (whole !== undefined) taken.set(text, Math.max(isOnAny ? whole : 1, taken.get(text) ?? 0));
    const own = addressText(text, hostPort.address);
    if (!isOnAny && onNode.has(own)) taken.set(own, 1);
  }
  return taken;
};

/** Slot → the number of its kind: slots of one kind are taken alike by every holder, so that one of them says all. */
function* findingKinds(holders: readonly Holder[], onNode: ReadonlyMap<string, number>): Steps<ReadonlyMap<string, number>> {
  const kinds = new Map(onNode);
  let next = highestOf(onNode.values(), 0);
  let read = 0;
  for (const { ports } of holders) {
    const refined = new Map<string, number>();
    for (const [slot, amount] of slotsOf(ports, onNode)) {
      const key = `${kinds.get(slot) ?? 0} ${amount}`;
      const kind = getOrMake(refined, key, () => ++next);
      kinds.set(slot, kind);
      if (++read % PORTS_A_STEP === 0) yield;
    }
  }
  return kinds;
}

/** The first slot of each kind, in order of names. */
const firstOfKinds = (kinds: ReadonlyMap<string, number>): readonly string[] => {
  const first = new Map<number, string>();
  for (const [slot, kind] of kinds) {
    const known = first.get(kind);
    if (known === undefined || slot < known) first.set(kind, slot);
  }
  return [...first.values()].sort();
};

const holdersIn = ({ pendingPods, nodes }: ClusterSnapshot, daemons: readonly Daemon[]): readonly Holder[] => {
  const running = nodes.flatMap(({ pods }) => pods.map((pod) => ({ ports: hostPortsOf(pod.spec), isSought: !isDaemonPod(pod) })));
  const pending = pendingPods.map(({ spec }) => ({ ports: hostPortsOf(spec), isSought: true }));
  return [...daemons.map(({ ports }) => ({ ports, isSought: false })), ...pending, ...running].filter(({ ports }) => ports.length > 0);
};

/**
 * The host ports that two pods of the snapshot could get in each other's way with. Ports conflict when protocol and
 * number are the same and the addresses are, or one of them is every address. Source: Kubernetes,
 * `framework.HostPortInfo`.
 */
export function* readingPorts(snapshot: ClusterSnapshot, daemons: readonly Daemon[]): Steps<PortSlots> {
  const holders = holdersIn(snapshot, daemons);
  yield;
  const onNode = capacities(yield* countingWanted(holders));
  const names = firstOfKinds(yield* findingKinds(holders, onNode));
  const isKept = new Set(names);
  return {
    names,
    onNode: Object.fromEntries(names.map((name) => [name, onNode.get(name) ?? 1])),
    takenBy: (ports) => (ports.length === 0 ? NONE : Object.fromEntries([...slotsOf(ports, onNode)].filter(([slot]) => isKept.has(slot)))),
  };
}
