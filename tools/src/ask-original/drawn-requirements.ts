import type { RequirementSpec } from '@karpenter/core';
import { FAMILY, families, GENERATION, generations } from './drawn-types.ts';
import type { Draws } from './draws.ts';
import { ARCH, architectures, CAPACITY_TYPE, capacityKinds, TEAM, teams, ZONE } from './setting.ts';
import type { Setting } from './setting.ts';

/** Labels that machines have, and those that only some nodes have, with their values. */
const valuesByKey = ({ zones }: Setting): Readonly<Record<string, readonly string[]>> => ({
  [ZONE]: zones,
  [CAPACITY_TYPE]: capacityKinds,
  [ARCH]: architectures,
  [GENERATION]: generations,
  [FAMILY]: families,
  [TEAM]: teams,
});

const drawOperator = (draws: Draws, key: string): RequirementSpec['operator'] =>
  key === TEAM ? draws.oneOf(['In', 'NotIn', 'Exists', 'DoesNotExist']) : draws.oneOf(['In', 'In', 'In', 'NotIn', 'Exists']);

/** A requirement of a node's label. A list of values leaves some out if there are several. */
export const drawRequirement = (draws: Draws, setting: Setting): RequirementSpec => {
  const [key, all] = draws.oneOf(Object.entries(valuesByKey(setting)));
  if (key === GENERATION && draws.chance(50))
    return { key, operator: draws.oneOf(['Gt', 'Lt']), values: [draws.oneOf(['3', '4', '5', '9'])] };
  const operator = drawOperator(draws, key);
  const values = draws.someOf(all, draws.between(1, Math.max(1, all.length - 1)));
  return operator === 'In' || operator === 'NotIn' ? { key, operator, values } : { key, operator };
};
