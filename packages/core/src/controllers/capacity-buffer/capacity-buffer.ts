import { KubeError, requeueAfter } from '@karpenter/runtime';
import type { Controller } from '@karpenter/runtime';
import { patchCapacityBuffer } from '../../actions/index.ts';
import type { CapacityBuffer } from '../../apis/index.ts';
import type { Shell } from '../shell.ts';
import { statusNews } from './buffer-status.ts';
import { resolveReference } from './resolve-reference.ts';

/** How often references are read again, and schedules looked at. Differs: 30 s in the original. */
const PERIOD_MS = 10_000;

type Buffering = Pick<Shell, 'kube' | 'caches' | 'clock' | 'state'>;

/** Writes what is new about a buffer to its status. */
export const writeBufferStatus = async (shell: Buffering, buffer: CapacityBuffer, signal: AbortSignal): Promise<void> => {
  const { buffers } = shell.state;
  const status = statusNews(buffer, buffers, shell.clock.now());
  if (status === undefined) return;
  await patchCapacityBuffer(shell, { buffer, body: { status } }, { signal, part: 'status' });
  if (typeof status.pricePerHour === 'string') buffers.notePrice(buffer, status.pricePerHour);
};

/**
 * Resolves the reference. If that fails, the last known resolution stays; a buffer without one counts as failed.
 * Returns the failure.
 */
const resolve = async ({ kube, state }: Buffering, buffer: CapacityBuffer, signal: AbortSignal): Promise<Error | undefined> => {
  try {
    state.buffers.resolve(buffer, await resolveReference(kube, buffer, signal));
    return undefined;
  } catch (error) {
    if (signal.aborted || !(error instanceof KubeError)) throw error;
    const failure = { reason: 'ResolutionFailed', message: error.message } as const;
    if (state.buffers.resolutionOf(buffer) === undefined) state.buffers.resolve(buffer, { failure });
    return error;
  }
};

/** Reads the pod template that a CapacityBuffer refers to, for the next plan, and shows in its status what it comes to. */
export const capacityBuffer = (shell: Buffering): Controller<CapacityBuffer> => ({
  name: 'capacitybuffer',
  kind: 'CapacityBuffer',
  concurrency: 10,
  async reconcile(buffer, { signal }) {
    const failure = await resolve(shell, buffer, signal);
    await writeBufferStatus(shell, buffer, signal);
    // The loop retries with backoff.
    if (failure !== undefined) throw failure;
    return requeueAfter(PERIOD_MS);
  },
});
