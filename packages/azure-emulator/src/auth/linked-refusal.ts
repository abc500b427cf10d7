import { type ArmRefusal, refusal } from '../faults/arm-error.ts';
import type { ArmRequest } from '../serve/route.ts';
import type { ArmWorld } from '../world.ts';

/** Why a request may not use what lies in another subscription; undefined when it may, or uses nothing there. */
export const linkedRefusal = (world: ArmWorld, request: ArmRequest, id: string): ArmRefusal | undefined => {
  const subscription = /^\/subscriptions\/([^/]+)\//i.exec(id)?.[1]?.toLowerCase();
  if (subscription === undefined || subscription === world.account.subscriptionId) return undefined;
  const given = (request.headers['x-ms-authorization-auxiliary'] ?? '').replace(/^Bearer /i, '');
  if (world.tokens.judge(given, world.url) === 'valid') return undefined;
  const message = `The client has permission to perform action 'Microsoft.Compute/galleries/images/versions/read' on scope '${request.path}', however the current tenant '${world.account.tenantId}' is not authorized to access linked subscription '${subscription}'.`;
  return refusal(403, 'LinkedAuthorizationFailed', message);
};
