import { isFailure } from '@karpenter/runtime';
import type { ClusterSnapshot } from '../../cluster/index.ts';
import type { BufferOutcome } from '../../scheduling/index.ts';
import type { Decisions } from '../decisions.ts';
import type { Shell } from '../shell.ts';
import { bufferRooms } from './buffer-rooms.ts';
import { writeBufferStatus } from './capacity-buffer.ts';

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
    const { name, namespace = 'default' } = buffer.metadata;
    const current = shell.caches.capacityBuffers?.get({ name, namespace });
    if (current === undefined) continue;
    await writeBufferStatus(shell, current, signal).catch((error: unknown) => {
      if (signal.aborted || !isFailure(error)) throw error;
    });
  }
};
