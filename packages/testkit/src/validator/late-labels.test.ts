import { defaultSchedulingPolicy, simulate } from '@karpenter/core';
import type { Pod } from '@karpenter/core';
import { expect, test } from '@jest/globals';
import { aNodePool, aPod, aSnapshot, awayFrom, labelled, named, requesting, requiringAnyOf, spreadOver } from '../builders/index.ts';
import { validatePlan } from './validate-plan.ts';

const web = labelled({ app: 'web' });
const ofWeb = { labelSelector: { matchLabels: { app: 'web' } } };
const large = requesting({ cpuMillis: 1000 });
const small = requesting({ cpuMillis: 100 });
const onATeam = requiringAnyOf({ matchExpressions: [{ key: 'team', operator: 'Exists' }] });

/** A pool whose nodes have no team, unless a pod insists on one. */
const pool = aNodePool({ requirements: [{ key: 'team', operator: 'NotIn', values: ['blue'] }] });

const alone = aPod(named('alone'), large, awayFrom({ topologyKey: 'team', ...ofWeb }));
const counted = aPod(
  named('counted'),
  web,
  small,
  onATeam,
  spreadOver({ topologyKey: 'team', maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule', ...ofWeb }),
);

test.each<readonly [string, readonly Pod[]]>([
  ['a pod that it stays away from', [alone, aPod(named('web'), web, small, onATeam)]],
  ['a pod that no constraint counts, and others come to that node', [alone, aPod(named('other'), small, onATeam), counted]],
])('a pod that was placed where there is no team gets none from %s', (_, pending) => {
  const snapshot = aSnapshot({ pending, nodePools: [pool] });
  for (const packing of ['cheapest', 'first-fit'] as const) {
    const policy = { ...defaultSchedulingPolicy, packing };
    const plan = simulate(snapshot, policy, () => false);
    expect(validatePlan(snapshot, policy, plan)).toEqual([]);
    expect(plan.rejections).toEqual([]);
    expect(
      plan.plannedNodes.map(({ pods, claim }) => [pods.map(({ metadata }) => metadata.name), claim.labels['team'] !== undefined]),
    ).toEqual([
      [['alone'], false],
      [expect.not.arrayContaining(['alone']), true],
    ]);
  }
});
