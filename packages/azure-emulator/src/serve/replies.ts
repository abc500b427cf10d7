import type { ArmRefusal } from '../faults/arm-error.ts';
import type { ArmReply } from './route.ts';

export const ok = (body: unknown): ArmReply => ({ status: 200, body });

/** An ARM error response. */
export const armRefusalReply = (refusal: ArmRefusal): ArmReply => ({
  status: refusal.status,
  ...(refusal.retryAfterSeconds !== undefined && { headers: { 'Retry-After': String(refusal.retryAfterSeconds) } }),
  body: { error: refusal.error },
});

export const isRefusal = (value: object): value is ArmRefusal => 'status' in value && 'error' in value;
