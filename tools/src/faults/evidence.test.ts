import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import type { FaultCluster } from './fault-cluster.ts';
import { failedCalls, hasLoaded, isStopped, killProgram, evidenceOfTakeover } from './evidence.ts';

describe('the evidence that a fault struck:', () => {
  test('a process is stopped between SIGSTOP and SIGCONT only, and has loaded what it runs', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    await once(child, 'spawn');
    while (!hasLoaded(child.pid, '/libc')) await pause(5);
    expect([isStopped(child.pid), hasLoaded(child.pid, 'libfaketime')]).toEqual([false, false]);
    child.kill('SIGSTOP');
    while (!isStopped(child.pid)) await pause(5);
    child.kill('SIGCONT');
    while (isStopped(child.pid)) await pause(5);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect([isStopped(child.pid), hasLoaded(child.pid, '/libc')]).toEqual([false, false]);
  });

  test('a program that did not run was not killed', async () => {
    const kill = (): Promise<void> => Promise.resolve();
    expect(await killProgram('etcd', { isRunning: () => true, kill })).toEqual(['etcd ended by kill -9']);
    expect(await killProgram('etcd', { isRunning: () => false, kill })).toEqual([]);
  });

  test('calls of Azure count that failed after the fault began, not refusals that are answers', () => {
    const calls = [200, 404, 409, 429, 500, 0].flatMap((status) => [
      { status, atMs: 9 },
      { status, atMs: 10 },
    ]);
    expect(failedCalls(calls, 10)).toEqual(['3 calls of Azure failed']);
    expect(failedCalls(calls.slice(0, 6), 10)).toEqual([]);
  });

  test.each([
    { holders: ['a', 'b'], shown: ['stopped'], evidence: ['stopped', 'the lease went from a to b'] },
    { holders: ['a', 'a'], shown: ['stopped'], evidence: [] },
    { holders: ['a', 'b'], shown: [], evidence: [] },
  ])('the lease goes from $holders.0 to $holders.1 while $shown', async ({ holders, shown, evidence }) => {
    const left = holders.values();
    const get = () => Promise.resolve({ spec: { holderIdentity: left.next().value } });
    const cluster = { real: { client: { get } } } as unknown as FaultCluster;
    expect(await evidenceOfTakeover(cluster, () => Promise.resolve(shown))).toEqual(evidence);
  });
});
