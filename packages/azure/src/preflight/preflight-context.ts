import type { NodePool } from '@karpenter/core';
import type { AKSNodeClass } from '../apis/index.ts';
import { ArmError } from '../arm/arm-error.ts';
import type { AzureOptions } from '../options/index.ts';
import type { IdentityVariables } from '../arm/sign-in/credential.ts';
import type { Reach } from './reach.ts';
import type { PreflightCheck, PreflightFinding } from './report.ts';

/** What a check calls Azure with. */
export interface CheckContext {
  readonly options: AzureOptions;
  readonly reach: Reach;
  /** Who signs in, for `--assignee`. */
  readonly principal: string;
}

/** The classes of the cluster. */
export interface CheckedClasses {
  readonly options: AzureOptions;
  readonly nodeClasses: readonly AKSNodeClass[];
}

/** What all checks together read. */
export interface Preflight extends CheckContext, CheckedClasses {
  readonly nodePools: readonly NodePool[];
  /** Without a leading `v`; undefined: the cluster was not asked. */
  readonly kubernetesVersion: string | undefined;
  /** Of the options and of the classes, each once. */
  readonly subnetIds: readonly string[];
  readonly signInWith: IdentityVariables;
}

/** What is checked, and what lets the identity read it. Checks only read. */
interface Guard {
  readonly check: PreflightCheck;
  readonly subject: string;
  readonly context: Pick<CheckContext, 'options' | 'principal'>;
}

/** The command that gives a principal a role. */
export const assignRole = (principal: string, role: string, scope: string): string =>
  `az role assignment create --assignee ${principal} --role "${role}" --scope ${scope}`;

/** The findings of a check; a failure of Azure becomes one of `unknown`, a role that is missing a failure. */
export const findingsOf = async (
  { check, subject, context }: Guard,
  run: () => Promise<readonly PreflightFinding[]>,
): Promise<readonly PreflightFinding[]> => {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof ArmError)) throw error;
    const at = { check, subject, message: error.message };
    if (error.code !== 'forbidden') return [{ ...at, status: 'unknown' }];
    const remedy = assignRole(context.principal, 'Reader', `/subscriptions/${context.options.subscriptionId}`);
    return [{ ...at, status: 'failed', remedy }];
  }
};
