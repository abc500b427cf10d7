import { isFailure } from '@karpenter/runtime';
import type { CapacityBuffer } from '../../apis/index.ts';
import type { BufferView, ClusterSnapshot, NodeView } from '../../cluster/index.ts';
import { nodePrice } from '../../disruption/index.ts';
import { addResources, isDaemonPod, namespaceOf, podRequests } from '../../kube/index.ts';
import type { Pod, Resources } from '../../kube/index.ts';
import type { BufferOutcome, Rejection } from '../../scheduling/index.ts';
import type { BufferRoom } from '../../state/index.ts';
import type { Decisions } from '../shell.ts';
import { changedStatus, writeBufferStatus } from './buffer-status.ts';
import type { Buffering } from './buffer-status.ts';

/** The part of a node that pods take: of its cpu or of its memory, whichever is larger. */
const shareOf = (pods: readonly Pod[], { allocatable }: NodeView): number => {
  const requests = pods.map(podRequests).reduce<Resources>(addResources, {});
  const parts = ['cpu', 'memory'].map((name) => (requests[name] ?? 0) / (allocatable[name] ?? Number.POSITIVE_INFINITY));
  return Math.max(...parts);
};

/**
 * Buffer → what its room on the node costs. Buffers that have the node to themselves pay for all of it, others for the
 * part that they take.
 */
const pricesOn = (node: NodeView, price: number, pods: ReadonlyMap<BufferView, readonly Pod[]>): ReadonlyMap<BufferView, number> => {
  const shares = new Map([...pods].map(([view, own]) => [view, shareOf(own, node)]));
  const total = [...shares.values()].reduce((sum, share) => sum + share, 0);
  const isShared = node.pods.some((pod) => !isDaemonPod(pod));
  const whole = isShared ? 1 : total;
  return new Map([...shares].map(([view, share]) => [view, whole === 0 ? 0 : (price * share) / whole]));
};

const bufferPrices = (outcomes: readonly BufferOutcome[], { nodes, nodePools }: ClusterSnapshot): ReadonlyMap<BufferView, number> => {
  const pools = new Map(nodePools.map((pool) => [pool.nodePool.metadata.name, pool]));
  const prices = new Map<BufferView, number>();
  for (const node of nodes) {
    const here = new Map(
      outcomes.flatMap(({ view, onNodes }) => [[view, onNodes.get(node.name) ?? []] as const]).filter(([, own]) => own.length > 0),
    );
    const price = here.size === 0 ? undefined : nodePrice(node, pools.get(node.nodePoolName ?? '')?.instanceTypes ?? []);
    if (price === undefined) continue;
    for (const [view, part] of pricesOn(node, price, here)) prices.set(view, (prices.get(view) ?? 0) + part);
  }
  return prices;
};

/** Where the chunks of each buffer of a plan are, in numbers, and what they cost. Nodes without a known price cost nothing. */
const bufferRooms = (
  outcomes: readonly BufferOutcome[],
  snapshot: ClusterSnapshot,
  explain: (rejection: Rejection) => string,
): ReadonlyMap<BufferView, BufferRoom> => {
  const up = new Set(snapshot.nodes.filter(({ isInitialized }) => isInitialized).map(({ name }) => name));
  const prices = bufferPrices(outcomes, snapshot);
  return new Map(
    outcomes.map(({ view, onNodes, onNewNodes, rejections }) => {
      const counts = [...onNodes].map(([name, pods]) => [up.has(name), pods.length] as const);
      const on = (isUp: boolean): number => counts.reduce((sum, [each, count]) => (each === isUp ? sum + count : sum), 0);
      const [first] = rejections;
      const why = first === undefined ? {} : { why: explain(first) };
      const room = { ready: on(true), arriving: on(false), onNewNodes, failed: rejections.length, pricePerHour: prices.get(view) ?? 0 };
      return [view, { ...room, ...why }];
    }),
  );
};

/** A plan's answer for buffers, and the snapshot that it was made from. */
export interface PlannedBuffers {
  readonly buffers: readonly BufferOutcome[];
  readonly snapshot: ClusterSnapshot;
  readonly explain: Decisions['explain'];
}

/** The plan after this one waits for so many statuses, and so many of one namespace. */
const STATUSES_A_PLAN = 20;
const STATUSES_A_NAMESPACE = 10;

/** The buffers whose status is written at once. */
const shownFirst = ({ state, caches, clock }: Buffering, views: Iterable<BufferView>): readonly CapacityBuffer[] => {
  const shown: CapacityBuffer[] = [];
  const perNamespace = new Map<string, number>();
  for (const { buffer } of views) {
    const namespace = namespaceOf(buffer);
    const before = perNamespace.get(namespace) ?? 0;
    if (before === STATUSES_A_NAMESPACE) continue;
    const current = caches.capacityBuffers?.get({ name: buffer.metadata.name, namespace });
    if (current === undefined || changedStatus(current, state.buffers, clock.now()) === undefined) continue;
    perNamespace.set(namespace, before + 1);
    shown.push(current);
    if (shown.length === STATUSES_A_PLAN) break;
  }
  return shown;
};

/**
 * Remembers where a plan put the chunks of buffers, and shows it in the status of the first whose status changes. What
 * is not, or cannot be, written now is written by their own controller.
 */
export const noteBuffers = async (shell: Buffering, { buffers, snapshot, explain }: PlannedBuffers, signal: AbortSignal): Promise<void> => {
  const rooms = bufferRooms(buffers, snapshot, explain);
  for (const [{ buffer }, room] of rooms) shell.state.buffers.place(buffer, room);
  const writes = shownFirst(shell, rooms.keys()).map((buffer) => writeBufferStatus(shell, buffer, signal));
  for (const outcome of await Promise.allSettled(writes))
    if (outcome.status === 'rejected' && (signal.aborted || !isFailure(outcome.reason))) throw outcome.reason;
};
