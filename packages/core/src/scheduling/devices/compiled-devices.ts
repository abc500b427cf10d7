import type { LabelCatalog } from '../../apis/index.ts';
import type { ClusterSnapshot, NodeView } from '../../cluster/index.ts';
import type { Pod } from '../../kube/index.ts';
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
  readonly explainer: DeviceExplainer;
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
}

/** A node whose pods claim devices. */
interface ClaimingNode {
  readonly number: number;
  readonly name: string;
  readonly pods: readonly PodDevices[];
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
  const claiming: readonly ClaimingNode[] = nodes.flatMap((node, number) => {
    const claimed = node.pods.flatMap((pod) => devicesOf(pod) ?? []);
    return claimed.length === 0 ? [] : [{ number, name: node.name, pods: claimed }];
  });
  const alwaysMoving = uidsOf(marked, movingFrom);
  return {
    explainer: new DeviceExplainer(offers),
    ledgerFor: ({ gone, movingFrom: leaving }) => {
      const ledger = new DeviceLedger(offers, view.claims, new Set([...alwaysMoving, ...uidsOf(gone, leaving)]));
      const names = new Set(gone.map(({ name }) => name));
      for (const { number, name, pods } of claiming) if (!names.has(name)) ledger.seatPods(number, pods);
      return ledger;
    },
  };
};
