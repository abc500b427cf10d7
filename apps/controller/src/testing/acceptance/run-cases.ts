import type { ApiObject } from '@karpenter/api-server';
import { errorMessage } from '@karpenter/runtime';
import type { AcceptanceCase, Stage, StageKind } from './stage.ts';
import { machinesOn } from './stage-objects.ts';
import type { ProvisionMode } from '../stories/provision-mode.ts';

export interface CaseResult {
  readonly suite: string;
  readonly title: string;
  /** Undefined: it passed. */
  readonly failure: string | undefined;
}

/** What is run, however its stage is made. */
export interface AcceptanceRun {
  readonly cases: readonly AcceptanceCase[];
  readonly mode: ProvisionMode['name'];
  /** Of the controller, beside those that the cluster gives. */
  readonly variables: Readonly<Record<string, string>>;
  readonly onResult: (result: CaseResult) => void;
  /** Ends the run before its time. */
  readonly signal?: AbortSignal | undefined;
}

const OWN: readonly StageKind[] = ['Deployment', 'DaemonSet', 'Pod', 'NodePool', 'NodeClaim', 'AKSNodeClass'];

/** Takes away what a case has made, and waits until Azure has none of it. */
const tidyUp = async (stage: Stage): Promise<void> => {
  for (const kind of OWN) for (const { metadata } of await stage.list<ApiObject>(kind)) await stage.remove(kind, metadata.name ?? '');
  await stage.until(
    'nothing of the case is left',
    async () => (await stage.list('AKSNodeClass')).length === 0 && (await machinesOn(stage)).length === 0,
    30,
  );
};

const failureOf = async (run: () => Promise<void>): Promise<string | undefined> => {
  try {
    await run();
    return undefined;
  } catch (error) {
    return errorMessage(error);
  }
};

/**
 * Runs cases one after another on one stage. What one leaves is taken away before the next; a stage that cannot be
 * tidied ends the run.
 */
export const runCases = async (stage: Stage, cases: readonly AcceptanceCase[], onResult: (result: CaseResult) => void): Promise<void> => {
  for (const each of cases) {
    const { suite, title } = each;
    const failure = await failureOf(() => each.run(stage));
    const untidy = await failureOf(() => tidyUp(stage));
    onResult({ suite, title, failure: failure ?? untidy });
    if (untidy !== undefined) return;
  }
};
