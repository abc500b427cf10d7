import { requeueAfter } from '@karpenter/runtime';
import type { Controller, KubeObject } from '@karpenter/runtime';
import { capacityBufferProblems, labels } from '../../apis/index.ts';
import type { CapacityBuffer, ScalableRef } from '../../apis/index.ts';
import { getOrMake } from '../../base/index.ts';
import { namespaceOf, podSpecProblem } from '../../kube/index.ts';
import type { Node, PodTemplate, ScalableWorkload } from '../../kube/index.ts';
import type { BufferSource } from '../../cluster/index.ts';
import type { KubeReader } from '../../ports/index.ts';
import type { BufferFailure, BufferResolution } from '../../state/index.ts';
import type { Shell } from '../shell.ts';
import { writeBufferStatus } from './buffer-status.ts';
import type { Buffering } from './buffer-status.ts';

const SCALABLE_KINDS: readonly string[] = ['Deployment', 'StatefulSet', 'ReplicaSet'];

const failed = (reason: BufferFailure['reason'], message: string): BufferResolution => ({ failure: { reason, message } });

const isSupported = ({ apiGroup = '', kind }: ScalableRef): boolean =>
  (apiGroup === '' || apiGroup === 'apps') && SCALABLE_KINDS.includes(kind);

interface Reading {
  readonly kube: KubeReader;
  readonly namespace: string;
  readonly signal: AbortSignal;
}

/** The source of a buffer, unless its template could never be placed. */
const sound = (source: BufferSource): BufferResolution => {
  const problem = podSpecProblem(source.template.spec);
  return problem === undefined ? { source } : failed('ResolutionFailed', `template: ${problem.field} ${problem.problem}`);
};

const readTemplate = async ({ kube, namespace, signal }: Reading, name: string): Promise<BufferResolution> => {
  const found = await kube.get<PodTemplate & KubeObject>('PodTemplate', { name, namespace }, { signal });
  if (found === undefined) return failed('PodTemplateNotFound', `podtemplates "${name}" not found`);
  const { template } = found;
  if (template === undefined) return failed('ResolutionFailed', `podtemplates "${name}" has no template`);
  const { generation } = found.metadata;
  return sound({ template, podTemplate: { name, ...(generation !== undefined && { generation }) } });
};

const readWorkload = async ({ kube, namespace, signal }: Reading, ref: ScalableRef): Promise<BufferResolution> => {
  if (!isSupported(ref)) {
    const { apiGroup = '', kind } = ref;
    return failed('ResolutionFailed', `scalableRef ${kind} of "${apiGroup}" is none of ${SCALABLE_KINDS.join(', ')} of "apps"`);
  }
  const found = await kube.get<ScalableWorkload & KubeObject>(ref.kind, { name: ref.name, namespace }, { signal });
  if (found === undefined) return failed('ScalableRefNotFound', `${ref.kind.toLowerCase()}s "${ref.name}" not found`);
  return sound({ template: found.spec.template, scalableReplicas: found.spec.replicas ?? 1 });
};

/** Reads the pod template or workload that a buffer names. */
type ReadReference = (buffer: CapacityBuffer, signal: AbortSignal) => Promise<BufferResolution>;

const readingFrom =
  (kube: KubeReader): ReadReference =>
  async (buffer, signal) => {
    const { podTemplateRef, scalableRef } = buffer.spec;
    const reading = { kube, namespace: namespaceOf(buffer), signal };
    if (podTemplateRef !== undefined) return readTemplate(reading, podTemplateRef.name);
    return scalableRef === undefined
      ? failed('ResolutionFailed', 'Neither podTemplateRef nor scalableRef is set')
      : readWorkload(reading, scalableRef);
  };

/** Buffers that name the same object share a read that is under way: thousands may name one template of a megabyte. */
const sharingReads = (read: ReadReference): ReadReference => {
  const underWay = new Map<string, Promise<BufferResolution>>();
  return (buffer, signal) => {
    const { podTemplateRef, scalableRef } = buffer.spec;
    const key = JSON.stringify([namespaceOf(buffer), podTemplateRef?.name, scalableRef]);
    return getOrMake(underWay, key, () => read(buffer, signal).finally(() => void underWay.delete(key)));
  };
};

const resolveBy = async (read: ReadReference, buffer: CapacityBuffer, signal: AbortSignal): Promise<BufferResolution> => {
  const [problem] = capacityBufferProblems(buffer);
  return problem === undefined ? read(buffer, signal) : failed('ResolutionFailed', `${problem.field} ${problem.problem}`);
};

/**
 * Reads what a buffer refers to. It is read from the API server now and then. Following every workload of a cluster
 * would cost memory for each (ADR 36). Errors: KubeError, when the API server does not answer.
 */
export const resolveReference = (kube: KubeReader, buffer: CapacityBuffer, signal: AbortSignal): Promise<BufferResolution> =>
  resolveBy(readingFrom(kube), buffer, signal);

/** How often references are read again, and schedules checked. Differs: 30 s in the original. */
const PERIOD_MS = 10_000;

/** A buffer is read again after so long for each of its namespace: 20 reads a second, a tenth of the rate of requests. */
const PERIOD_A_BUFFER_MS = 50;

interface Resolving extends Pick<Buffering, 'state' | 'clock'> {
  readonly read: ReadReference;
}

/** Resolves the reference. If that fails, by a bug too, the last known resolution stays. Returns the failure. */
const resolve = async ({ state, clock, read }: Resolving, buffer: CapacityBuffer, signal: AbortSignal): Promise<Error | undefined> => {
  try {
    state.buffers.resolve(buffer, await resolveBy(read, buffer, signal));
    return undefined;
  } catch (error) {
    if (signal.aborted || !(error instanceof Error)) throw error;
    state.buffers.noteUnread(buffer, error.message, clock.now());
    return error;
  }
};

/**
 * Reads the pod template that a CapacityBuffer refers to, for the next plan, and shows in its status what it comes to.
 * A namespace with more than 200 buffers has its buffers read less often.
 */
export const capacityBuffer = (shell: Buffering): Controller<CapacityBuffer> => {
  const resolving = { ...shell, read: sharingReads(readingFrom(shell.kube)) };
  return {
    name: 'capacitybuffer',
    kind: 'CapacityBuffer',
    concurrency: 10,
    async reconcile(buffer, { signal }) {
      const failure = await resolve(resolving, buffer, signal);
      await writeBufferStatus(shell, buffer, signal);
      // The loop retries with backoff.
      if (failure !== undefined) throw failure;
      return requeueAfter(Math.max(PERIOD_MS, shell.state.buffers.countBeside(buffer, shell.clock.now()) * PERIOD_A_BUFFER_MS));
    },
  };
};

const isInitialized = ({ metadata }: Node): boolean => metadata.labels?.[labels.initialized] === 'true';

/**
 * Calls `trigger` when the room of buffers may have changed: a buffer requests something else. While there is a buffer,
 * also when a pod is bound or leaves, or a node has come up or is gone. Runs for each of these, so it reads no buffer.
 */
export const onBufferChange = ({ state, caches }: Pick<Shell, 'state' | 'caches'>, trigger: () => void): void => {
  if (caches.capacityBuffers === undefined) return;
  const triggerForBuffers = (): void => {
    if (state.buffers.hasChunks) trigger();
  };
  state.buffers.onChange(trigger);
  state.onPodTransition(({ kind }) => {
    if (kind !== 'waiting') triggerForBuffers();
  });
  caches.nodes.subscribe((change) => {
    const changesRoom =
      change.type === 'updated' ? isInitialized(change.object) !== isInitialized(change.previous) : change.type === 'deleted';
    if (changesRoom) triggerForBuffers();
  });
};
