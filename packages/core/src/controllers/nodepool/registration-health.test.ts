import { describe, expect, test } from '@jest/globals';
import { requeueAfter } from '@karpenter/runtime';
import type { Outcome } from '@karpenter/runtime';
import type { NodeClaim, NodePool } from '../../apis/index.ts';
import { conditionOf } from '../../kube/index.ts';
import { FakeCluster } from '../../ports/fixtures/fake-cluster.ts';
import { fakeShell } from '../fixtures/fake-shell.ts';
import { claimsOfGeneralPool, generalPool } from '../fixtures/general-pool.ts';
import { abandonClaim } from '../nodeclaim/lifecycle/liveness.ts';
import { reportPool } from '../nodeclaim/lifecycle/registration.ts';
import { registrationHealth } from './registration-health.ts';

const { signal } = new AbortController();

const aPoolWithLaunches = async () => {
  const cluster = new FakeCluster();
  cluster.seed('TestNodeClass', { metadata: { name: 'default', generation: 3 } });
  cluster.seed('NodePool', generalPool);
  let shell = fakeShell(cluster);
  const pool = (): NodePool => {
    const found = shell.caches.nodePools.get({ name: 'general' });
    if (found === undefined) throw new Error('the pool is there');
    return found;
  };
  const reconcile = (): Promise<Outcome> => registrationHealth(shell).reconcile(pool(), { signal });
  const nextClaim = claimsOfGeneralPool();
  const aClaim = (): NodeClaim => nextClaim(shell.clock.now());
  const claimFails = async (): Promise<void> => {
    const claim = aClaim();
    shell.state.launches.asked(claim.metadata.name);
    await shell.clock.advance(900_000);
    await abandonClaim(shell, { claim, reason: 'registration_timeout' }, signal);
  };
  /** Its node takes pods before its launch fails. */
  const claimFailsLate = async (): Promise<void> => {
    const claim = aClaim();
    shell.state.launches.asked(claim.metadata.name);
    await shell.clock.advance(60_000);
    await reportPool(
      shell,
      { claim, outcome: { kind: 'failed', step: 'kept', cause: 'BootstrapScriptFailed', message: 'exit 50' } },
      signal,
    );
  };
  const claimComes = (): Promise<void> => reportPool(shell, { claim: aClaim(), outcome: { kind: 'reached', step: 'registered' } }, signal);
  const says = (type: string) => conditionOf(pool().status?.conditions, type);
  await reconcile();
  return {
    ...{ cluster, pool, reconcile, claimFails, claimFailsLate, claimComes, says },
    pass: (ms: number) => shell.clock.advance(ms),
    restart: () => {
      shell = fakeShell(cluster);
    },
    edit: () => cluster.seed('NodePool', { ...pool(), metadata: { ...pool().metadata, generation: 2 } }),
    isHeld: () => shell.state.launches.isHeld('general'),
  };
};

describe('what a pool says about its machines', () => {
  test('is unknown at first, and by which NodeClass it will be learned', async () => {
    const { says, pool } = await aPoolWithLaunches();
    expect(says('NodeRegistrationHealthy')).toMatchObject({ status: 'Unknown', reason: 'AwaitingReconciliation' });
    expect(pool().status?.nodeClassObservedGeneration).toBe(3);
  });

  test('is healthy once a node has registered', async () => {
    const { says, claimComes } = await aPoolWithLaunches();
    await claimComes();
    expect(says('NodeRegistrationHealthy')?.status).toBe('True');
    expect(says('Ready')?.status).toBe('Unknown');
  });

  test('is bad when two of four did not come; from then on launches pause', async () => {
    const { says, claimFails, isHeld } = await aPoolWithLaunches();
    await claimFails();
    expect(isHeld()).toBe(false);
    await claimFails();
    expect(says('NodeRegistrationHealthy')).toMatchObject({ status: 'False', reason: 'RegistrationFailed' });
    expect(says('LaunchBackoff')).toMatchObject({ status: 'True', reason: 'RegistrationTimeout' });
    expect(isHeld()).toBe(true);
  });

  test('is good again, and launches go on, when nodes come', async () => {
    const { says, claimFails, claimComes, isHeld } = await aPoolWithLaunches();
    await claimFails();
    await claimFails();
    for (let i = 0; i < 3; i++) await claimComes();
    expect(says('NodeRegistrationHealthy')?.status).toBe('True');
    expect(says('LaunchBackoff')).toBeUndefined();
    expect(isHeld()).toBe(false);
  });

  test('is unknown again when the pool was edited: the edit may have mended it', async () => {
    const { says, claimFails, edit, reconcile, isHeld } = await aPoolWithLaunches();
    await claimFails();
    await claimFails();
    edit();
    await reconcile();
    expect(says('NodeRegistrationHealthy')?.status).toBe('Unknown');
    expect(says('LaunchBackoff')).toBeUndefined();
    expect(isHeld()).toBe(false);
  });

  test('is remembered over a restart', async () => {
    const { says, claimFails, claimComes, restart, reconcile } = await aPoolWithLaunches();
    await claimFails();
    await claimFails();
    restart();
    await reconcile();
    await claimComes();
    expect(says('NodeRegistrationHealthy')?.status).toBe('False');
  });

  test('of a pause is taken back by a process that knows of none', async () => {
    const { says, claimFails, restart, reconcile } = await aPoolWithLaunches();
    await claimFails();
    await claimFails();
    restart();
    await reconcile();
    expect(says('LaunchBackoff')).toBeUndefined();
    expect(says('NodeRegistrationHealthy')?.status).toBe('False');
  });

  test('of nodes that take pods and fail then is taken back an hour after the last', async () => {
    const { says, claimFailsLate, reconcile, pass } = await aPoolWithLaunches();
    await claimFailsLate();
    await claimFailsLate();
    expect(says('LaunchBackoff')).toMatchObject({ status: 'True', reason: 'BootstrapScriptFailed' });
    expect(await reconcile()).toEqual(requeueAfter(3_600_000));
    await pass(3_600_000);
    await reconcile();
    expect(says('LaunchBackoff')).toBeUndefined();
  });
});
