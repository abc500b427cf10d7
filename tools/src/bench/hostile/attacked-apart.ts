import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { chartFlags } from '../../chart-process.ts';
import type { Target } from './attack.ts';
import type { AttackedPlan, AttackedProbes } from './attacked-plan.ts';

/** What a plan under attack came to, and how long probes waited meanwhile. */
export type AttackedRun = AttackedPlan & AttackedProbes & { readonly target: Target };

/** How an attack ended: with a plan, with no plan in two minutes, or with the death of the process. */
export type AttackEnding = AttackedRun | 'late' | 'dead';

const LATEST_MS = 120_000;

/** Decides under the attack of this name in a process of its own; of a target's name: without an attack. */
export const attackApart = (name: string): AttackEnding => {
  const script = fileURLToPath(new URL('./attacked-process.ts', import.meta.url));
  const { stdout, error, status } = spawnSync(
    process.execPath,
    ['--conditions=@karpenter/source', '--no-warnings', ...chartFlags, '--expose-gc', script, name],
    {
      encoding: 'utf8',
      timeout: LATEST_MS,
      killSignal: 'SIGKILL',
      maxBuffer: 1024 ** 2,
    },
  );
  if (status === 0) return JSON.parse(stdout) as AttackedRun;
  return error && 'code' in error && error.code === 'ETIMEDOUT' ? 'late' : 'dead';
};
