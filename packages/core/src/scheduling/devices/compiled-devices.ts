import type { Steps } from '../../base/index.ts';
import type { LabelCatalog } from '../../apis/index.ts';
import { daemonsExpectedOn } from '../../cluster/index.ts';
import type { ClusterSnapshot, Daemon, NodeView } from '../../cluster/index.ts';
import type { Pod } from '../../kube/index.ts';
import { ClaimedDevices } from './claimed-devices.ts';
import { DaemonDevices } from './daemon-devices.ts';
import { DeviceLedger } from './device-ledger.ts';
import { DeviceOffers } from './device-offers.ts';
import { DeviceExplainer } from './device-explainer.ts';
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

/** How many nodes are read without a pause. */
const NODES_A_STEP = 64;

/** Whether each of its claims has devices and names the pod as a user: then it needs nothing more, whoever else leaves. */
const isServed = (pod: Pod, { claims, problem }: PodDevices): boolean =>
  problem === undefined &&
  claims.every(({ claim }) => {
    const { allocation, reservedFor = [] } = claim?.status ?? {};
    return allocation !== undefined && reservedFor.some(({ uid }) => uid === pod.metadata.uid);
  });

/** The nodes with pods or daemons that are still to be given devices. */
function* findingClaimingNodes({ nodes, devicesOf }: DeviceContext, daemons: readonly Daemon[]): Steps<readonly ClaimingNode[]> {
  const claiming: ClaimingNode[] = [];
  for (const [number, node] of nodes.entries()) {
    if (number % NODES_A_STEP === NODES_A_STEP - 1) yield;
    const pods = node.pods.flatMap((pod) => {
      const devices = devicesOf(pod);
      return devices === undefined || isServed(pod, devices) ? [] : [devices];
    });
    const expected = daemonsExpectedOn(node, daemons).map(({ name }) => name);
    if (pods.length + expected.length > 0) claiming.push({ number, name: node.name, pods, daemons: expected });
  }
  return claiming;
}

/** The devices of a snapshot; undefined where no pod claims any. */
export function* compilingDevices(snapshot: ClusterSnapshot, context: DeviceContext): Steps<CompiledDevices | undefined> {
  const { devices: view } = snapshot;
  const { nodes, marked, movingFrom, devicesOf, catalog } = context;
  const pods = [...snapshot.pendingPods, ...nodes.flatMap((node) => node.pods), ...marked.flatMap(movingFrom)];
  if (view === undefined || !pods.some((pod) => devicesOf(pod) !== undefined)) return undefined;
  const offers = new DeviceOffers(snapshot, nodes, catalog);
  yield* offers.reading(view.slices);
  const daemons = new DaemonDevices(context.daemons, devicesOf, offers);
  const claimed = new ClaimedDevices(offers, { claims: view.claims, moving: new Set(uidsOf(marked, movingFrom)) });
  yield* claimed.reading();
  const claiming = yield* findingClaimingNodes(
    context,
    context.daemons.filter(({ name }) => daemons.isClaiming(name)),
  );
  return {
    explainerForPlan: () => new DeviceExplainer(offers, daemons),
    ledgerFor: ({ gone, movingFrom: leaving }) => {
      const ledger = new DeviceLedger({ offers, daemons, claimed }, new Set(uidsOf(gone, leaving)));
      const names = new Set(gone.map(({ name }) => name));
      const staying = claiming.filter(({ name }) => !names.has(name));
      for (const node of staying) ledger.seatPods(node.number, node.pods);
      for (const node of staying) ledger.seatDaemons(node.number, node.daemons);
      return ledger;
    },
  };
}
