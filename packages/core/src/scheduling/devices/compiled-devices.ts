import type { LabelCatalog } from '../../apis/index.ts';
import { daemonsExpectedOn } from '../../cluster/index.ts';
import type { ClusterSnapshot, Daemon, NodeView } from '../../cluster/index.ts';
import type { Pod } from '../../kube/index.ts';
import { DaemonDevices } from './daemon-devices.ts';
import { DeviceLedger } from './device-ledger.ts';
import { DeviceOffers } from './device-offers.ts';
import { DeviceExplainer } from './explain-devices.ts';
import type { PodDevices, PodDevicesReader } from './pod-devices.ts';

/** The nodes of a question that count as gone, and the pods that leave them. */
interface Departures {
  readonly gone: readonly NodeView[];
  readonly movingFrom: (node: NodeView) => readonly Pod[];
}

/** The devices of a snapshot, for many questions. */
export interface CompiledDevices {
  /** What is taken of them at the start of a solve. */
  readonly ledgerFor: (departures: Departures) => DeviceLedger;
  readonly explainerForPlan: () => DeviceExplainer;
}

/** What compiling devices needs besides the snapshot. */
export interface DeviceContext {
  /** Places, by their numbers. */
  readonly nodes: readonly NodeView[];
  /** Nodes marked for deletion. */
  readonly marked: readonly NodeView[];
  readonly movingFrom: (node: NodeView) => readonly Pod[];
  readonly devicesOf: PodDevicesReader;
  readonly catalog: LabelCatalog;
  readonly daemons: readonly Daemon[];
}

/** A node whose pods claim devices, or on which daemons are expected that do. */
interface ClaimingNode {
  readonly number: number;
  readonly name: string;
  readonly pods: readonly PodDevices[];
  readonly daemons: readonly string[];
}

const uidsOf = (nodes: readonly NodeView[], movingFrom: DeviceContext['movingFrom']): readonly string[] =>
  nodes.flatMap((node) => movingFrom(node).flatMap(({ metadata }) => metadata.uid ?? []));

/** The devices of a snapshot; undefined where no pod claims any. */
export const compileDevices = (snapshot: ClusterSnapshot, context: DeviceContext): CompiledDevices | undefined => {
  const { devices: view } = snapshot;
  const { nodes, marked, movingFrom, devicesOf, catalog } = context;
  const pods = [...snapshot.pendingPods, ...nodes.flatMap((node) => node.pods), ...marked.flatMap(movingFrom)];
  if (view === undefined || !pods.some((pod) => devicesOf(pod) !== undefined)) return undefined;
  const offers = new DeviceOffers(snapshot, nodes, catalog);
  const daemons = new DaemonDevices(context.daemons, devicesOf, offers);
  const claimingDaemons = context.daemons.filter(({ name }) => daemons.isClaiming(name));
  const claiming: readonly ClaimingNode[] = nodes.flatMap((node, number) => {
    const claimed = node.pods.flatMap((pod) => devicesOf(pod) ?? []);
    const expected = daemonsExpectedOn(node, claimingDaemons).map(({ name }) => name);
    return claimed.length + expected.length === 0 ? [] : [{ number, name: node.name, pods: claimed, daemons: expected }];
  });
  const alwaysMoving = uidsOf(marked, movingFrom);
  return {
    explainerForPlan: () => new DeviceExplainer(offers, daemons),
    ledgerFor: ({ gone, movingFrom: leaving }) => {
      const ledger = new DeviceLedger({ offers, daemons }, view.claims, new Set([...alwaysMoving, ...uidsOf(gone, leaving)]));
      const names = new Set(gone.map(({ name }) => name));
      const staying = claiming.filter(({ name }) => !names.has(name));
      for (const node of staying) ledger.seatPods(node.number, node.pods);
      for (const node of staying) ledger.seatDaemons(node.number, node.daemons);
      return ledger;
    },
  };
};
