import { readFileSync } from 'node:fs';
import type { LoggedRequest } from '@karpenter/azure-emulator';
import type { Program } from '@karpenter/kube-api-contract/programs';
import type { KubeObject } from '@karpenter/runtime';
import type { FaultCluster } from './fault-cluster.ts';

/** What shows that a fault struck, one line each. Empty: nothing shows it. */
export type Evidence = readonly string[];

const readOf = (pid: number | undefined, file: 'stat' | 'maps'): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch (error) {
    // ESRCH: it ended while it was read.
    if (!['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return '';
  }
};

/** Whether SIGSTOP holds a process: the kernel gives its state as `T`. */
export const isStopped = (pid: number | undefined): boolean => /\) T /.test(readOf(pid, 'stat'));

/** Whether a process has loaded a library. */
export const hasLoaded = (pid: number | undefined, library: string): boolean => readOf(pid, 'maps').includes(library);

/** Kills it. */
export const killProgram = async (name: string, part: Pick<Program, 'isRunning' | 'kill'>): Promise<Evidence> => {
  const wasRunning = part.isRunning();
  await part.kill();
  return wasRunning ? [`${name} ended by kill -9`] : [];
};

/** The calls of Azure since then that were refused for its own reasons, or got no answer. */
export const failedCalls = (requests: readonly Pick<LoggedRequest, 'atMs' | 'status'>[], sinceMs: number): Evidence => {
  const count = requests.filter(({ atMs, status }) => atMs >= sinceMs && (status === 0 || status === 429 || status >= 500)).length;
  return count === 0 ? [] : [`${count} calls of Azure failed`];
};

const leaseHolder = async ({ real: { client } }: FaultCluster): Promise<string> => {
  const key = { namespace: 'kube-system', name: 'karpenter-leader-election' };
  const lease = await client.get<KubeObject & { readonly spec?: { readonly holderIdentity?: string } }>('Lease', key);
  return lease?.spec?.holderIdentity ?? 'nobody';
};

/** What `strike` shows, if the lease has another holder after it. */
export const evidenceOfTakeover = async (cluster: FaultCluster, strike: () => Promise<Evidence>): Promise<Evidence> => {
  const before = await leaseHolder(cluster);
  const evidence = await strike();
  const after = await leaseHolder(cluster);
  return evidence.length === 0 || after === before ? [] : [...evidence, `the lease went from ${before} to ${after}`];
};
