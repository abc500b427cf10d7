import { capacityBufferProblems } from '../../apis/index.ts';
import type { CapacityBuffer, ScalableRef } from '../../apis/index.ts';
import type { BufferSource } from '../../cluster/index.ts';
import { podSpecProblem } from '../../kube/index.ts';
import type { PodTemplate, ScalableWorkload } from '../../kube/index.ts';
import type { KubeReader } from '../../ports/index.ts';
import type { BufferFailure, BufferResolution } from '../../state/index.ts';
import type { KubeObject } from '@karpenter/runtime';

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
  const { generation } = found.metadata;
  return sound({ template: found.template, podTemplate: { name, ...(generation !== undefined && { generation }) } });
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

/**
 * Reads what a buffer refers to. It is read from the API server now and then, because to follow every workload of a
 * cluster would cost memory for each of them (ADR 36). Errors: KubeError, when the API server does not answer.
 */
export const resolveReference = async (kube: KubeReader, buffer: CapacityBuffer, signal: AbortSignal): Promise<BufferResolution> => {
  const [problem] = capacityBufferProblems(buffer);
  if (problem !== undefined) return failed('ResolutionFailed', `${problem.field} ${problem.problem}`);
  const { podTemplateRef, scalableRef } = buffer.spec;
  const reading = { kube, namespace: buffer.metadata.namespace ?? 'default', signal };
  if (podTemplateRef !== undefined) return readTemplate(reading, podTemplateRef.name);
  return scalableRef === undefined
    ? failed('ResolutionFailed', 'Neither podTemplateRef nor scalableRef is set')
    : readWorkload(reading, scalableRef);
};
