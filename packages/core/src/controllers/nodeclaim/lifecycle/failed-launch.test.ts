import { describe, expect, test } from '@jest/globals';
import type { NodeClaim } from '../../../apis/index.ts';
import { conditionOf } from '../../../kube/index.ts';
import { FakeCluster } from '../../../ports/fixtures/fake-cluster.ts';
import type { LaunchStep } from '../../../state/index.ts';
import { fakeShell } from '../../fixtures/fake-shell.ts';
import { claimsOfGeneralPool, generalPool } from '../../fixtures/general-pool.ts';
import { lifecycle } from './lifecycle.ts';
import { reportPool } from './registration.ts';

const { signal } = new AbortController();
const SCRIPT = 'launch-failed BootstrapScriptFailed the script has exited with 50';
const SOLD_OUT = ['insufficient-capacity AllocationFailure sold out', 'offering-unavailable AllocationFailure sold out'];

const aLaunchFailureScene = () => {
  const cluster = new FakeCluster();
  cluster.seed('NodePool', generalPool);
  const shell = fakeShell(cluster);
  const controller = lifecycle(shell, { initializationMs: Number.POSITIVE_INFINITY });
  const nextClaim = claimsOfGeneralPool();
  const aClaim = (): NodeClaim => nextClaim(shell.clock.now());
  /** The claim says that it failed; answers whether it goes. */
  const fails = async ({ metadata, ...claim }: NodeClaim, failure: string, types: readonly string[]): Promise<boolean> => {
    cluster.seed('NodeClaim', {
      ...claim,
      metadata: { ...metadata, annotations: { ...metadata.annotations, 'karpenter.sh/failed-launch': failure } },
      status: { conditions: types.map((type) => ({ type, status: 'True', reason: type })) },
    });
    const seen = shell.caches.nodeClaims.get({ name: metadata.name });
    if (seen !== undefined) await controller.reconcile(seen, { signal });
    return shell.caches.nodeClaims.get({ name: metadata.name })?.metadata.deletionTimestamp !== undefined;
  };
  /** A machine is requested, and a minute later its claim reports a failure. Returns whether the claim is deleted. */
  const failing = async (failure: string, types: readonly string[] = ['Launched']): Promise<boolean> => {
    const claim = aClaim();
    shell.state.launches.asked(claim.metadata.name);
    await shell.clock.advance(60_000);
    return fails(claim, failure, types);
  };
  return {
    ...{ shell, failing },
    failingAlone: (): Promise<boolean> => {
      const { metadata, ...claim } = aClaim();
      return fails({ ...claim, metadata: { ...metadata, ownerReferences: [] } }, SCRIPT, ['Launched']);
    },
    comesTo: (step: LaunchStep) => reportPool(shell, { claim: aClaim(), outcome: { kind: 'reached', step } }, signal),
    isHeld: () => shell.state.launches.isHeld('general'),
    says: (type: string) => conditionOf(shell.caches.nodePools.get({ name: 'general' })?.status?.conditions, type),
  };
};

describe('a claim whose machine was accepted and failed later', () => {
  test.each([[[]], [['Launched']], [['Launched', 'Registered']], [['Launched', 'Registered', 'Initialized']]])(
    'is deleted when its conditions are %j',
    async (types) => {
      const { failing, shell } = aLaunchFailureScene();
      expect(await failing(SCRIPT, types)).toBe(true);
      expect(shell.reported).toMatchObject([
        { kind: 'launch-failed', reason: 'async_provisioning', message: 'the script has exited with 50', willRetry: false },
        { kind: 'claim-disrupted', reason: 'async_provisioning' },
      ]);
    },
  );

  test('a second time makes its pool pause and say why, though each launch was accepted', async () => {
    const { failing, comesTo, isHeld, says } = aLaunchFailureScene();
    await failing(SCRIPT);
    expect(isHeld()).toBe(false);
    await comesTo('launched');
    await failing(SCRIPT);
    expect(isHeld()).toBe(true);
    expect(says('LaunchBackoff')).toMatchObject({ status: 'True', reason: 'BootstrapScriptFailed' });
    expect(says('LaunchBackoff')?.message).toContain('the script has exited with 50');
  });

  test('a second time, each node taking pods before that, makes its pool pause too: others that take pods say nothing', async () => {
    const { failing, comesTo, isHeld, says } = aLaunchFailureScene();
    await failing(SCRIPT, ['Launched', 'Registered', 'Initialized']);
    await comesTo('initialized');
    await failing(SCRIPT, ['Launched', 'Registered', 'Initialized']);
    expect(isHeld()).toBe(true);
    expect(says('LaunchBackoff')).toMatchObject({ status: 'True', reason: 'BootstrapScriptFailed' });
  });

  test.each(SOLD_OUT)('for want of capacity holds nothing back, its offering is kept back already: %s', async (failure) => {
    const { failing, isHeld, says } = aLaunchFailureScene();
    for (let times = 0; times < 3; times++) expect(await failing(failure)).toBe(true);
    expect(isHeld()).toBe(false);
    expect(says('LaunchBackoff')).toBeUndefined();
  });

  test('without a pool is deleted too, and pauses no pool', async () => {
    const { failingAlone, isHeld } = aLaunchFailureScene();
    for (let times = 0; times < 3; times++) expect(await failingAlone()).toBe(true);
    expect(isHeld()).toBe(false);
  });

  test('begins no row where another has joined in between', async () => {
    const { failing, comesTo, isHeld } = aLaunchFailureScene();
    await failing(SCRIPT);
    await comesTo('registered');
    await failing(SCRIPT);
    expect(isHeld()).toBe(false);
  });
});
