import { createHash } from 'node:crypto';
import { isJsonObject } from '@karpenter/runtime';
import { getOrMake } from '@karpenter/core/internal';
import type { WorkloadPodTemplate } from '../objects/workload.ts';

/** Members in the order of their names, and no nulls: clients write the same template in many ways. */
const inOrder = (_key: string, value: unknown): unknown =>
  isJsonObject(value)
    ? Object.fromEntries(
        Object.entries(value)
          .filter(([, member]) => member !== null)
          .sort(([a], [b]) => (a < b ? -1 : 1)),
      )
    : value;

const known = new WeakMap<WorkloadPodTemplate, string>();

/**
 * Names a pod template: ten characters that are letters and digits. Equal templates have equal names, however they were
 * written.
 */
export const templateHash = (template: WorkloadPodTemplate): string => {
  return getOrMake(known, template, () => createHash('sha1').update(JSON.stringify(template, inOrder)).digest('hex').slice(0, 10));
};

export const POD_TEMPLATE_HASH = 'pod-template-hash';
export const REVISION_HASH = 'controller-revision-hash';
