import { createHash } from 'node:crypto';
import type { PodTemplate } from '../objects/workload.ts';

/** Names a pod template: ten characters that are letters and digits. Equal templates have equal names. */
export const templateHash = (template: PodTemplate): string =>
  createHash('sha1').update(JSON.stringify(template)).digest('hex').slice(0, 10);

export const POD_TEMPLATE_HASH = 'pod-template-hash';
export const REVISION_HASH = 'controller-revision-hash';
