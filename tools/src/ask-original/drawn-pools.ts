import type { NodePool, RequirementSpec, Taint } from '@karpenter/core';
import { drawRequirement } from './drawn-requirements.ts';
import type { Draws } from './draws.ts';
import { TEAM, teams } from './setting.ts';
import type { Setting } from './setting.ts';

/** The taint that some pods tolerate. */
export const DEDICATED = 'dedicated';

/** Requirements of different keys, some of them with a number of values that types must leave. */
const drawPoolRequirements = (draws: Draws, setting: Setting): readonly RequirementSpec[] => {
  const drawn = draws.times(draws.oneOf([0, 0, 1, 2, 3]), () => drawRequirement(draws, setting));
  return drawn
    .filter(({ key }, index) => key !== TEAM && drawn.findIndex((other) => other.key === key) === index)
    .map((requirement) => {
      const { operator, values = [''] } = requirement;
      const hasMinimum = (operator === 'In' || operator === 'Exists') && draws.chance(15);
      return hasMinimum ? { ...requirement, minValues: Math.min(values.length, draws.oneOf([1, 2])) } : requirement;
    });
};

const drawTaint = (draws: Draws): Taint => ({
  key: DEDICATED,
  value: draws.oneOf(['a', 'b']),
  effect: draws.oneOf(['NoSchedule', 'NoSchedule', 'PreferNoSchedule', 'NoExecute']),
});

const drawTemplate = (draws: Draws, setting: Setting): NodePool['spec']['template'] => ({
  metadata: { labels: { ...draws.maybe(50, () => ({ [TEAM]: draws.oneOf(teams) })) } },
  spec: {
    nodeClassRef: { group: 'karpenter.test.sh', kind: 'TestNodeClass', name: 'default' },
    expireAfter: 'Never',
    taints: draws.chance(30) ? [drawTaint(draws)] : [],
    ...draws.maybe(30, () => ({ startupTaints: [{ key: 'cni', effect: 'NoSchedule' as const }] })),
    requirements: drawPoolRequirements(draws, setting),
  },
});

const drawLimits = (draws: Draws): NonNullable<NodePool['spec']['limits']> =>
  draws.oneOf([{ cpu: '4' }, { cpu: '16' }, { cpu: '40' }, { memory: '64Gi' }, { cpu: '20', memory: '100Gi' }, { nodes: '2' }]);

/** One to four NodePools: with requirements, taints, weights, limits. */
export const drawPools = (draws: Draws, setting: Setting): readonly NodePool[] =>
  draws.times(draws.oneOf([1, 1, 2, 3, 4]), (index) => ({
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name: `pool${index}` },
    spec: {
      template: drawTemplate(draws, setting),
      disruption: { consolidateAfter: '0s' },
      ...draws.maybe(50, () => ({ weight: draws.between(1, 20) })),
      ...draws.maybe(20, () => ({ limits: drawLimits(draws) })),
    },
  }));
