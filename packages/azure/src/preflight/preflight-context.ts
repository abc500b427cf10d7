import type { NodePool } from '@karpenter/core';
import type { AKSNodeClass } from '../apis/index.ts';
import { ArmError } from '../arm/arm-error.ts';
import type { AzureOptions } from '../options/index.ts';
import type { Reach } from './reach.ts';
import type { PreflightCheck, PreflightFinding } from './report.ts';

/** What the checks look at. */
export interface Preflight {
  readonly options: AzureOptions;
  readonly reach: Reach;
  readonly nodePools: readonly NodePool[];
  readonly nodeClasses: readonly AKSNodeClass[];
  /** Without a leading `v`; undefined: the cluster was not asked. */
  readonly kubernetesVersion: string | undefined;
  /** Of the options and of the classes, each once. */
  readonly subnetIds: readonly string[];
  /** Who signs in, for `--assignee`. */
  readonly principal: string;
}

/** The findings of a check; a failure of Azure becomes one of `unknown`. */
export const guarded = async (
  at: { readonly check: PreflightCheck; readonly subject: string },
  run: () => Promise<readonly PreflightFinding[]>,
): Promise<readonly PreflightFinding[]> => {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof ArmError)) throw error;
    return [{ ...at, status: error.code === 'forbidden' ? 'failed' : 'unknown', message: error.message }];
  }
};
