import { afterAll, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { copiedBundle } from './testing/processes/bundle.ts';
import { censusOf, claimsOf, settledCensus } from './testing/clusters/cluster-census.ts';
import { creationsOf } from './testing/stories/creations.ts';
import { eventually } from './testing/eventually.ts';
import { growing, killPlans, shrinking } from './testing/processes/kill-plan.ts';
import { MortalController } from './testing/processes/mortal-controller.ts';
import { aDeployment, aNodeClass, aPool, oneOf, scaleInflate } from './testing/clusters/objects.ts';
import { startFastCluster, type TestCluster } from './testing/clusters/test-cluster.ts';

/** `KILL_ROUNDS=20 KILL_SEED=42` runs more, or the same again. */
const rounds = Number(process.env['KILL_ROUNDS'] ?? 1);
const seed = Number(process.env['KILL_SEED'] ?? Date.now() % 2 ** 31);

jest.setTimeout(rounds * 180_000);
const bundle = copiedBundle();
afterAll(() => bundle[Symbol.dispose]());

const PODS = 12;

const untilSettled = (cluster: TestCluster, controller: MortalController, expected: ReturnType<typeof settledCensus>): Promise<void> =>
  eventually(`there is ${JSON.stringify(expected)}`, () => JSON.stringify(censusOf(cluster)) === JSON.stringify(expected), {
    withinMs: 90_000,
    instead: () => `(seed ${seed}): ${JSON.stringify(censusOf(cluster))}\n${controller.log.slice(-15).join('\n')}`,
  });

describe('kill -9', () => {
  const plan = fc.record({
    up: fc.array(growing, { minLength: 7, maxLength: 7 }),
    down: fc.array(shrinking, { minLength: 3, maxLength: 3 }),
  });

  test.each(killPlans(plan, { seed, rounds }))('at any moments: no machine twice, none left over (%j)', async ({ up, down }) => {
    console.log(`kill -9: seed ${seed}`);
    await using cluster = await startFastCluster(10);
    // Two cores hold one pod beside the daemons: as many machines as pods.
    for (const object of [aNodeClass, aPool([oneOf('karpenter.azure.com/sku-cpu', '2')]), aDeployment({ replicas: 0 })]) {
      cluster.local.create(object);
    }
    await using controller = new MortalController(cluster, bundle);
    await controller.start();
    scaleInflate(cluster, PODS);
    for (const moment of up) {
      await controller.dieAt(moment);
      await controller.start();
    }
    await untilSettled(cluster, controller, settledCensus(PODS, PODS));

    scaleInflate(cluster, 0);
    await eventually('machines go', () => claimsOf(cluster).some(({ metadata }) => metadata.deletionTimestamp !== undefined), {
      withinMs: 60_000,
    });
    for (const moment of down) {
      await controller.dieAt(moment);
      await controller.start();
    }
    await untilSettled(cluster, controller, settledCensus(0, 0));
    expect(new Set(creationsOf(cluster).values())).toEqual(new Set([1]));
    expect(creationsOf(cluster).size).toBe(PODS);
    expect(controller.kills).toBe(up.length + down.length);
  });
});
