import { groupedDigits } from '../base/index.ts';
import { capacityBufferProblems, isBufferActive } from '../apis/index.ts';
import type { CapacityBuffer } from '../apis/index.ts';
import { bufferReplicas, MOST_CHUNKS, virtualPods } from '../cluster/index.ts';
import type { BufferSource, BufferView } from '../cluster/index.ts';
import { namespaceOf, namespacedNameOf } from '../kube/index.ts';
import type { Pod, PodTemplateSpec } from '../kube/index.ts';
import type { FollowedCache } from '../ports/index.ts';
import type { ObjectGuard } from './object-guard.ts';
import { MOST_KEPT_CHARACTERS, templateProjection } from './projections.ts';

/** Why a buffer has no chunks, by the reason that its condition gives. */
export interface BufferFailure {
  readonly reason: 'ScalableRefNotFound' | 'PodTemplateNotFound' | 'ResolutionFailed';
  readonly message: string;
}

/** What was last read of the object that a buffer refers to. */
export type BufferResolution =
  | { readonly source: BufferSource }
  /** `unreadSinceMs` is set while nobody knows what it refers to, because no read has succeeded yet. */
  | { readonly failure: BufferFailure; readonly unreadSinceMs?: number };

/** Where the last plan put the chunks of a buffer, in numbers of chunks. */
export interface BufferRoom {
  /** On nodes that are up. */
  readonly ready: number;
  /** On nodes that are coming up. */
  readonly arriving: number;
  /** On nodes that the plan creates. */
  readonly onNewNodes: number;
  readonly failed: number;
  /** Why the first of those that failed did, for people. */
  readonly why?: string;
  readonly pricePerHour: number;
}

/** What is known of a buffer beside the object. */
interface Known {
  readonly resolution: BufferResolution;
  readonly room?: BufferRoom;
  /** The price that was last written to its status. */
  readonly writtenPrice?: string;
}

/**
 * How long the room of a buffer is kept that cannot be read. An outage of the API server is over by then; a role that
 * is missing may stay so for good.
 */
const UNREAD_MS = 10 * 60_000;

/** The most chunks of all buffers: a third of a kilobyte each. */
export const MOST_CHUNKS_IN_ALL = 100_000;

/** Counting reads every buffer. */
const COUNT_AGAIN_MS = 10_000;

interface Made {
  readonly template: PodTemplateSpec;
  /** How many chunks the buffer asks for. */
  readonly wanted: number;
  readonly pods: readonly Pod[];
}

const NO_PODS: readonly Pod[] = [];

const idOf = ({ metadata }: CapacityBuffer): string => metadata.uid ?? namespacedNameOf(metadata);

const textOf = (value: unknown): string => JSON.stringify(value);

/** Whether the buffer asks for something else than before; its status says nothing about that. */
const asksElse = ({ metadata, spec }: CapacityBuffer, before: CapacityBuffer): boolean =>
  textOf([metadata.annotations, metadata.deletionTimestamp, spec]) !==
  textOf([before.metadata.annotations, before.metadata.deletionTimestamp, before.spec]);

const isAsking = (buffer: CapacityBuffer, nowMs: number): boolean =>
  buffer.metadata.deletionTimestamp === undefined && isBufferActive(buffer, nowMs) && capacityBufferProblems(buffer).length === 0;

const isSameResolution = (a: BufferResolution, b: BufferResolution): boolean => {
  if ('failure' in a || 'failure' in b) return textOf(a) === textOf(b);
  const { template: one, ...rest } = a.source;
  const { template: other, ...otherRest } = b.source;
  return one === other && textOf(rest) === textOf(otherRest);
};

/**
 * What this process knows of CapacityBuffers beside the objects themselves: the pod templates that they refer to, and
 * where their chunks have room. Without a cache of them there are none.
 */
export class BufferIndex {
  readonly #cache: FollowedCache<CapacityBuffer> | undefined;
  readonly #guard: ObjectGuard;
  readonly #known = new Map<string, Known>();
  readonly #projectionOf = templateProjection();
  readonly #made = new Map<string, Made>();
  /** Namespace → the chunks made in it; `undefined`: in all. */
  readonly #chunks = new Map<string | undefined, number>();
  /** Namespace → its buffers, and when they were counted. */
  readonly #countIn = new Map<string, number>();
  #countedAtMs = Number.NEGATIVE_INFINITY;
  readonly #listeners = new Set<() => void>();

  constructor(cache: FollowedCache<CapacityBuffer> | undefined, guard: ObjectGuard) {
    this.#cache = cache;
    this.#guard = guard;
    cache?.subscribe((change) => {
      if (change.type === 'deleted') this.#forget(change.object);
      if (change.type === 'deleted' || (change.type === 'updated' && asksElse(change.object, change.previous))) this.#tell();
    });
  }

  /**
   * Whether a buffer with chunks, by its status, was not read yet: nobody knows which empty nodes it needs. Ends ten
   * minutes after its first read failed.
   */
  isRoomUnknown(nowMs: number): boolean {
    return this.list().some((buffer) => (buffer.status?.replicas ?? 0) > 0 && this.#isUnread(buffer, nowMs));
  }

  /** Calls `listener` when a buffer asks for something else. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Remembers what a buffer's reference comes to: of its template what decisions read, once for all that say the same. */
  resolve(buffer: CapacityBuffer, resolution: BufferResolution): void {
    const before = this.#known.get(idOf(buffer));
    const after = this.#projected(resolution);
    if (before !== undefined && isSameResolution(before.resolution, after)) return;
    const writtenPrice = before?.writtenPrice;
    this.#known.set(idOf(buffer), { resolution: after, ...(writtenPrice !== undefined && { writtenPrice }) });
    this.#tell();
  }

  /** Remembers that the reference could not be read. What was read before stays. */
  noteUnread(buffer: CapacityBuffer, message: string, nowMs: number): void {
    if (this.resolutionOf(buffer) !== undefined) return;
    this.resolve(buffer, { failure: { reason: 'ResolutionFailed', message }, unreadSinceMs: nowMs });
  }

  resolutionOf(buffer: CapacityBuffer): BufferResolution | undefined {
    return this.#known.get(idOf(buffer))?.resolution;
  }

  /** Remembers where a plan put the buffer's chunks. */
  place(buffer: CapacityBuffer, room: BufferRoom): void {
    this.#note(buffer, { room });
  }

  /** Where the last plan put the chunks; undefined when there was none since the buffer changed. */
  roomOf(buffer: CapacityBuffer): BufferRoom | undefined {
    return this.#known.get(idOf(buffer))?.room;
  }

  /** Remembers the price that its status was given: a CRD of others does not keep it. */
  notePrice(buffer: CapacityBuffer, writtenPrice: string): void {
    this.#note(buffer, { writtenPrice });
  }

  writtenPriceOf(buffer: CapacityBuffer): string | undefined {
    return this.#known.get(idOf(buffer))?.writtenPrice;
  }

  /**
   * How many chunks the buffer has now: none outside its schedule, while it is malformed, or while its reference is not
   * resolved; fewer than it asks for where the buffers of its namespace, or all, have the most that they may have.
   */
  chunksOf(buffer: CapacityBuffer, nowMs: number): number {
    return this.#podsOf(buffer, nowMs).length;
  }

  /** Whether there are chunks, as of when they were last counted. */
  get hasChunks(): boolean {
    return (this.#chunks.get(undefined) ?? 0) > 0;
  }

  /** How many chunks the buffer lacks because its namespace, or all buffers, have the most; as of its last chunks. */
  lackOf(buffer: CapacityBuffer): number {
    const { wanted = 0, pods = NO_PODS } = this.#made.get(idOf(buffer)) ?? {};
    return wanted - pods.length;
  }

  /** How many buffers its namespace has, itself included; of the last ten seconds. */
  countBeside(buffer: CapacityBuffer, nowMs: number): number {
    if (Math.abs(nowMs - this.#countedAtMs) >= COUNT_AGAIN_MS) {
      this.#countedAtMs = nowMs;
      this.#countIn.clear();
      for (const each of this.list()) this.#countIn.set(namespaceOf(each), (this.#countIn.get(namespaceOf(each)) ?? 0) + 1);
    }
    return this.#countIn.get(namespaceOf(buffer)) ?? 0;
  }

  /** Every buffer that Karpenter follows. */
  list(): readonly CapacityBuffer[] {
    return this.#cache?.list() ?? [];
  }

  /** The buffers that ask for room now. The same pods as before where nothing has changed. */
  views(nowMs: number): readonly BufferView[] {
    return this.#guard.each('CapacityBuffer', this.list(), (buffer) => {
      const pods = this.#podsOf(buffer, nowMs);
      return pods.length === 0 ? [] : [{ buffer, virtualPods: pods }];
    });
  }

  #projected(resolution: BufferResolution): BufferResolution {
    if ('failure' in resolution) return resolution;
    const template = this.#projectionOf(resolution.source.template);
    if (template !== undefined) return { source: { ...resolution.source, template } };
    const most = groupedDigits(MOST_KEPT_CHARACTERS);
    const message = `template: what decides where its pods may go has more than ${most} characters; leave out labels, affinity or tolerations`;
    return { failure: { reason: 'ResolutionFailed', message } };
  }

  #isUnread(buffer: CapacityBuffer, nowMs: number): boolean {
    const resolution = this.resolutionOf(buffer);
    if (resolution === undefined) return true;
    return 'failure' in resolution && resolution.unreadSinceMs !== undefined && nowMs < resolution.unreadSinceMs + UNREAD_MS;
  }

  #podsOf(buffer: CapacityBuffer, nowMs: number): readonly Pod[] {
    const resolution = this.resolutionOf(buffer);
    if (resolution === undefined || 'failure' in resolution || !isAsking(buffer, nowMs)) {
      this.#unmake(buffer);
      return NO_PODS;
    }
    const { template } = resolution.source;
    const made = this.#made.get(idOf(buffer));
    const wanted = bufferReplicas(buffer.spec, resolution.source);
    const count = Math.min(wanted, this.#spaceFor(buffer) + (made?.pods.length ?? 0));
    if (made?.template === template && made.wanted === wanted && made.pods.length === count) return made.pods;
    this.#unmake(buffer);
    const pods = virtualPods(buffer, template, count);
    this.#made.set(idOf(buffer), { template, wanted, pods });
    this.#count(buffer, count);
    return pods;
  }

  /** How many chunks more may be made for the buffer. Those that were made first stay. */
  #spaceFor(buffer: CapacityBuffer): number {
    return Math.min(MOST_CHUNKS - (this.#chunks.get(namespaceOf(buffer)) ?? 0), MOST_CHUNKS_IN_ALL - (this.#chunks.get(undefined) ?? 0));
  }

  #count(buffer: CapacityBuffer, more: number): void {
    for (const key of [namespaceOf(buffer), undefined]) this.#chunks.set(key, (this.#chunks.get(key) ?? 0) + more);
  }

  #unmake(buffer: CapacityBuffer): void {
    const made = this.#made.get(idOf(buffer));
    if (made === undefined) return;
    this.#made.delete(idOf(buffer));
    this.#count(buffer, -made.pods.length);
  }

  #note(buffer: CapacityBuffer, noted: Omit<Known, 'resolution'>): void {
    const before = this.#known.get(idOf(buffer));
    if (before !== undefined) this.#known.set(idOf(buffer), { ...before, ...noted });
  }

  #forget(buffer: CapacityBuffer): void {
    this.#known.delete(idOf(buffer));
    this.#unmake(buffer);
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
