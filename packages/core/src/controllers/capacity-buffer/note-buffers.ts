import type { BufferView, ClusterSnapshot, NodeView } from '../../cluster/index.ts';
import { nodePrice } from '../../disruption/index.ts';
import { addResources, isDaemonPod, namespaceOf, podRequests } from '../../kube/index.ts';
import type { Pod, Resources } from '../../kube/index.ts';
import type { BufferOutcome, Rejection } from '../../scheduling/index.ts';
import type { BufferRoom } from '../../state/index.ts';
import { isFailure } from '@karpenter/runtime';
import type { Decisions, Shell } from '../shell.ts';
import { writeBufferStatus } from './capacity-buffer.ts';

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

/**
 * Remembers where a plan put the chunks of buffers, and shows it in their status. What cannot be written now is written
 * by their own controller.
 */
export const noteBuffers = async (
  shell: Pick<Shell, 'kube' | 'caches' | 'clock' | 'state'>,
  { buffers, snapshot, explain }: PlannedBuffers,
  signal: AbortSignal,
): Promise<void> => {
  const rooms = bufferRooms(buffers, snapshot, explain);
  for (const [{ buffer }, room] of rooms) {
    shell.state.buffers.place(buffer, room);
    const current = shell.caches.capacityBuffers?.get({ name: buffer.metadata.name, namespace: namespaceOf(buffer) });
    if (current === undefined) continue;
    await writeBufferStatus(shell, current, signal).catch((error: unknown) => {
      if (signal.aborted || !isFailure(error)) throw error;
    });
  }
};
