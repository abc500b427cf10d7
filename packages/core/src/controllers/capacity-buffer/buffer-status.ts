import { patchCapacityBuffer } from '../../actions/index.ts';
import { ACTIVE_CAPACITY, bufferScheduleOf, capacityBufferConditions, isBufferActive } from '../../apis/index.ts';
import type { CapacityBuffer, CapacityBufferStatus } from '../../apis/index.ts';
import { MOST_CHUNKS } from '../../cluster/index.ts';
import { withCondition } from '../../kube/index.ts';
import type { Condition } from '../../kube/index.ts';
import { MOST_CHUNKS_IN_ALL } from '../../state/index.ts';
import type { BufferIndex, BufferResolution, BufferRoom } from '../../state/index.ts';
import type { Shell } from '../shell.ts';

const { readyForProvisioning, provisioning } = capacityBufferConditions;

type Said = Pick<Condition, 'status' | 'reason' | 'message'>;

const readiness = (resolution: BufferResolution): Said =>
  'failure' in resolution
    ? { status: 'False', ...resolution.failure }
    : { status: 'True', reason: 'Resolved', message: 'Pod template resolved successfully' };

const roomSaid = ({ ready, arriving, onNewNodes, failed, why }: BufferRoom, chunks: number): Said => {
  if (ready === chunks)
    return { status: 'True', reason: 'FitsExistingCapacity', message: `All ${chunks} virtual pods fit on existing capacity` };
  const because = why === undefined ? '' : `: ${why}`;
  const message = `${onNewNodes + arriving}/${chunks} virtual pods require new capacity, ${failed} failed${because}`;
  return { status: 'False', reason: 'RequiresNewCapacity', message };
};

/** What `Provisioning` is to say; undefined: what it says already, because no plan was made since the buffer changed. */
const provisioningSaid = (buffer: CapacityBuffer, known: Known, nowMs: number): Said | undefined => {
  const { resolution, chunks, room } = known;
  const no = { status: 'False' } as const;
  if ('failure' in resolution) return { ...no, reason: 'NotReadyForProvisioning', message: 'Buffer is not ReadyForProvisioning' };
  if (!isBufferActive(buffer, nowMs)) {
    const { schedule = '', duration = '', timeZone = 'UTC' } = bufferScheduleOf(buffer);
    return { ...no, reason: 'OutsideSchedule', message: `Buffer is kept from ${schedule} for ${duration} in ${timeZone}` };
  }
  if (chunks === 0) return { ...no, reason: 'BufferEmpty', message: 'Buffer has zero desired replicas' };
  if (room === undefined) return undefined;
  if (room.ready + room.arriving + room.onNewNodes + room.failed !== chunks)
    return { ...no, reason: 'RequiresNewCapacity', message: `The places of ${chunks} virtual pods are not planned yet` };
  return roomSaid(room, chunks);
};

/** What is known of a resolved buffer. */
interface Known {
  readonly resolution: BufferResolution;
  readonly chunks: number;
  /** How many more it asks for than it may have. */
  readonly lack: number;
  readonly room: BufferRoom | undefined;
}

const lackText = (lack: number): string =>
  lack === 0 ? '' : `; ${lack} more are wanted, but the buffers of a namespace have at most ${MOST_CHUNKS}, and all ${MOST_CHUNKS_IN_ALL}`;

const conditionsOf = (buffer: CapacityBuffer, known: Known, nowMs: number): readonly Condition[] => {
  const { generation } = buffer.metadata;
  const observed = generation === undefined ? {} : { observedGeneration: generation };
  const before = buffer.status?.conditions ?? [];
  const read = withCondition(before, { type: readyForProvisioning, ...readiness(known.resolution), ...observed }, nowMs);
  const said = provisioningSaid(buffer, known, nowMs);
  if (said === undefined) return read;
  const message = `${said.message}${lackText(known.lack)}`;
  return withCondition(read, { type: provisioning, ...said, message, ...observed }, nowMs);
};

/** A status to write: null takes a field away. */
export type WrittenBufferStatus = { readonly [K in keyof CapacityBufferStatus]: CapacityBufferStatus[K] | null };

const templateFields = (resolution: BufferResolution): WrittenBufferStatus => {
  if ('failure' in resolution) return {};
  const { podTemplate } = resolution.source;
  return {
    podTemplateRef: podTemplate === undefined ? null : { name: podTemplate.name },
    podTemplateGeneration: podTemplate?.generation ?? null,
  };
};

const priceOf = ({ chunks, room }: Known): string | undefined => {
  if (chunks === 0) return '0.0000';
  return room?.pricePerHour.toFixed(4);
};

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

/** What of the buffer's status has to be written; undefined when it says everything, or nothing is known of the buffer yet. */
export const changedStatus = (buffer: CapacityBuffer, buffers: BufferIndex, nowMs: number): WrittenBufferStatus | undefined => {
  const resolution = buffers.resolutionOf(buffer);
  if (resolution === undefined) return undefined;
  const chunks = buffers.chunksOf(buffer, nowMs);
  const known = { resolution, chunks, lack: buffers.lackOf(buffer), room: buffers.roomOf(buffer) };
  const pricePerHour = priceOf(known);
  const wanted: WrittenBufferStatus = {
    ...templateFields(resolution),
    ...('failure' in resolution ? {} : { replicas: known.chunks }),
    provisioningStrategy: buffer.spec.provisioningStrategy ?? ACTIVE_CAPACITY,
    conditions: conditionsOf(buffer, known, nowMs),
    ...(pricePerHour !== undefined && pricePerHour !== buffers.writtenPriceOf(buffer) && { pricePerHour }),
  };
  const { status = {} } = buffer;
  const changed = Object.entries(wanted).filter(([field, value]) => !isSame(value, status[field as keyof CapacityBufferStatus]));
  return changed.length === 0 ? undefined : Object.fromEntries(changed);
};

/** What buffers are read from and written to. */
export type Buffering = Pick<Shell, 'kube' | 'caches' | 'clock' | 'state'>;

/** Writes what is new about a buffer to its status. */
export const writeBufferStatus = async (shell: Buffering, buffer: CapacityBuffer, signal: AbortSignal): Promise<void> => {
  const { buffers } = shell.state;
  const status = changedStatus(buffer, buffers, shell.clock.now());
  if (status === undefined) return;
  await patchCapacityBuffer(shell, { buffer, body: { status } }, { signal, part: 'status' });
  if (typeof status.pricePerHour === 'string') buffers.notePrice(buffer, status.pricePerHour);
};
