import { ArmError } from '../arm/arm-error.ts';
import { roleFor } from '../arm/error-codes/missing-role.ts';
import type { PermissionSet } from '../arm/subscription-api.ts';
import { type Need, neededActions } from './needed-actions.ts';
import { assignRole, type CheckContext, type Preflight } from './preflight-context.ts';
import type { PreflightFinding } from './report.ts';

const matches = (pattern: string, action: string): boolean =>
  new RegExp(`^${pattern.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`, 'i').test(action);

/** By Azure's rule: one role must hold the action and not take it back. Deny assignments are not in the sets. */
export const isAllowed = (action: string, sets: readonly PermissionSet[]): boolean =>
  sets.some(
    ({ actions, notActions }) =>
      actions.some((pattern) => matches(pattern, action)) && !notActions.some((pattern) => matches(pattern, action)),
  );

const missing = ({ scope, actions }: Need, principal: string): PreflightFinding => {
  const role = roleFor(actions[0] ?? '') ?? 'a role of your own';
  return {
    check: 'permissions',
    subject: scope,
    status: 'failed',
    message: `the identity of the controller may not do ${actions.join(', ')}`,
    remedy: assignRole(principal, role, scope),
  };
};

/** A finding for each role that is missing. */
const missingByRole = (need: Need, denied: readonly string[], principal: string): readonly PreflightFinding[] =>
  [...Map.groupBy(denied, (action) => roleFor(action)).values()].map((actions) => missing({ ...need, actions }, principal));

const checkScope = async (
  need: Need,
  { reach, principal }: Pick<CheckContext, 'reach' | 'principal'>,
  signal: AbortSignal,
): Promise<readonly PreflightFinding[]> => {
  const { scope, actions } = need;
  try {
    const sets = await reach.subscription.permissionsOn(scope, signal);
    const denied = actions.filter((action) => !isAllowed(action, sets));
    if (denied.length > 0) return missingByRole(need, denied, principal);
    return [{ check: 'permissions', subject: scope, status: 'passed', message: `${actions.length} actions are allowed` }];
  } catch (error) {
    if (!(error instanceof ArmError)) throw error;
    if (error.code === 'forbidden') return [missing(need, principal)];
    const at = { check: 'permissions', subject: scope, message: error.message } as const;
    if (error.code === 'not-found') return [{ ...at, status: 'failed', remedy: `az resource show --ids ${scope}` }];
    return [{ ...at, status: 'unknown' }];
  }
};

/** What the identity may do on each scope that the options and classes name, by its permissions there: nothing is tried. */
export const accessChecks = async (context: Preflight, signal: AbortSignal): Promise<readonly PreflightFinding[]> => {
  const found = await Promise.all(neededActions(context).map((need) => checkScope(need, context, signal)));
  return found.flat();
};
