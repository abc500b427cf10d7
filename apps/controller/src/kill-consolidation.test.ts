import { afterAll, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { copiedBundle } from './testing/processes/bundle.ts';
import { censusOf, isRunning, nodesOf, podsOf } from './testing/clusters/cluster-census.ts';
import { creationsOf } from './testing/stories/creations.ts';
import { eventually } from './testing/eventually.ts';
import { growing, killPlans, shrinking } from './testing/processes/kill-plan.ts';
import { MortalController } from './testing/processes/mortal-controller.ts';
import { aDeployment, aNodeClass, aPool, oneOf } from './testing/clusters/objects.ts';
import { startFastCluster, type TestCluster } from './testing/clusters/test-cluster.ts';

const rounds = Number(process.env['KILL_ROUNDS'] ?? 1);
const seed = Number(process.env['KILL_SEED'] ?? Date.now() % 2 ** 31);

jest.setTimeout(rounds * 240_000);
const bundle = copiedBundle();
afterAll(() => bundle[Symbol.dispose]());

const running = (cluster: TestCluster, app: string): number => podsOf(cluster, app).filter(isRunning).length;

const cpusOf = (cluster: TestCluster): readonly string[] => nodesOf(cluster).map(({ status }) => String(status?.capacity?.['cpu']));

/** Two nodes of four cores with one small pod each, in a pool that has just been allowed two cores. */
const halfEmpty = async (cluster: TestCluster): Promise<void> => {
  const { local } = cluster;
  for (const name of ['a', 'b']) {
    local.create(aDeployment({ name, replicas: 6, cpu: '500m' }));
    await eventually(`six pods of ${name} run`, () => running(cluster, name) === 6, { withinMs: 60_000 });
  }
  const body = [{ op: 'replace', path: '/spec/template/spec/requirements/2/values', value: ['2', '4'] }];
  local.patch('NodePool', { name: 'general' }, { type: 'json', body });
  for (const name of ['a', 'b']) {
    local.patch('Deployment', { namespace: 'default', name }, { type: 'merge', body: { spec: { replicas: 1 } } });
  }
};

const isOneSmallNode = (cluster: TestCluster): boolean => {
  const { claims, nodes, vms, nics, disks } = censusOf(cluster);
  const isOne = [claims, nodes, vms, nics, disks].every((count) => count === 1);
  return isOne && cpusOf(cluster)[0] === '2' && running(cluster, 'a') === 1 && running(cluster, 'b') === 1;
};

describe('kill -9 during a consolidation', () => {
  const plan = fc.tuple(growing, shrinking, shrinking);

  test.each(killPlans(plan, { seed, rounds }))('leaves one cheaper node in the end, and nothing else (%j %j %j)', async (...moments) => {
    console.log(`kill -9 during a consolidation: seed ${seed}`);
    await using cluster = await startFastCluster(10);
    for (const object of [aNodeClass, aPool([oneOf('karpenter.azure.com/sku-cpu', '4')])]) cluster.local.create(object);
    await using controller = new MortalController(cluster, bundle);
    await controller.start();
    await halfEmpty(cluster);
    const made = creationsOf(cluster).size;
    await eventually('a replacement is bought or a node goes', () => creationsOf(cluster).size > made || cluster.arm.vms().length < made, {
      withinMs: 60_000,
      instead: () => controller.log.slice(-15).join('\n'),
    });
    for (const moment of moments) {
      await controller.dieAt(moment);
      await controller.start();
    }
    await eventually('both pods run on one small node', () => isOneSmallNode(cluster), {
      withinMs: 120_000,
      instead: () =>
        `(seed ${seed}): ${JSON.stringify(censusOf(cluster))} ${cpusOf(cluster).join()}\n${controller.log.slice(-15).join('\n')}`,
    });
    expect(new Set(creationsOf(cluster).values())).toEqual(new Set([1]));
  });
});
