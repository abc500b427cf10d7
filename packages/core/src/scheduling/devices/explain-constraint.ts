import type { DeviceConstraint } from '../../kube/index.ts';
import { AttributeConstraint, isAbout } from './attribute-constraint.ts';
import type { AttributeGroups } from './attribute-constraint.ts';
import type { ClaimRequest } from './claim-request.ts';
import type { PoolDevice } from './device.ts';
import type { ClaimUse } from './pod-devices.ts';

/** The devices of one machine that a request may have, whatever the constraints of its claim. */
export interface RequestableDevices {
  readonly groups: AttributeGroups;
  readonly devicesFor: (request: ClaimRequest) => readonly PoolDevice[];
}

/** How many devices of one machine a constraint leaves at most. */
interface Kept {
  readonly devices: number;
  /** Without the attribute. */
  readonly lacking: number;
  readonly left: number;
}

const nameOf = ({ matchAttribute, distinctAttribute = '' }: DeviceConstraint): string =>
  matchAttribute === undefined ? `distinctAttribute ${distinctAttribute}` : `matchAttribute ${matchAttribute}`;

const keptOf = (constraint: DeviceConstraint, concerned: readonly ClaimRequest[], { groups, devicesFor }: RequestableDevices): Kept => {
  const devices = [...new Set(concerned.flatMap(devicesFor))];
  const [request] = concerned;
  if (request === undefined) return { devices: devices.length, lacking: 0, left: devices.length };
  /** How many of them can be had with the first. */
  const withFirst = (first: PoolDevice): number => {
    const met = new AttributeConstraint(constraint, groups);
    return [first, ...devices.filter((each) => each !== first)].filter((each) => met.add(request, each)).length;
  };
  const able = devices.filter((each) => new AttributeConstraint(constraint, groups).add(request, each));
  return { devices: devices.length, lacking: devices.length - able.length, left: Math.max(0, ...able.map(withFirst)) };
};

/** How many devices the requests want together: of alternatives the fewest, of all devices as many as there are. */
const wantedOf = (requests: readonly (readonly ClaimRequest[])[], constraint: DeviceConstraint, devices: number): number =>
  requests
    .map((alternatives) => alternatives.filter((each) => isAbout(constraint, each)))
    .filter((alternatives) => alternatives.length > 0)
    .reduce((sum, alternatives) => sum + Math.min(...alternatives.map(({ wantsAll, count }) => (wantsAll ? devices : count))), 0);

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** Explains the constraint of that index, by the machine on which it leaves the most devices. */
export const explainConstraint = ({ key, wanted }: ClaimUse, index: number, machines: readonly RequestableDevices[]): string => {
  const constraint = wanted.constraints[index] ?? {};
  const concerned = wanted.requests.flat().filter((each) => isAbout(constraint, each));
  const [best = { devices: 0, lacking: 0, left: 0 }] = machines
    .map((machine) => keptOf(constraint, concerned, machine))
    .sort((a, b) => b.left - a.left || b.devices - a.devices);
  const isMatch = constraint.matchAttribute !== undefined;
  const others = best.devices - best.lacking - best.left;
  const beside = wanted.constraints.slice(0, index).map(nameOf);
  const steps = [
    ...(best.lacking > 0 ? [counted(best.lacking, 'lacks it', 'lack it')] : []),
    ...(others > 0 ? [`${counted(others, 'has', 'have')} ${isMatch ? 'another value' : 'the value of another'}`] : []),
    `${best.left} left`,
  ];
  return [
    `constraint ${nameOf(constraint)} of ResourceClaim ${key}${beside.length > 0 ? `, beside ${beside.join(' and ')},` : ''} wants`,
    `${isMatch ? 'one value' : 'different values'} for ${counted(wantedOf(wanted.requests, constraint, best.devices), 'device', 'devices')}:`,
    `of ${best.devices} on one node, ${steps.join(', ')}`,
  ].join(' ');
};
