import type { DeviceConstraint } from '../../kube/index.ts';
import type { ClaimRequest } from './claim-request.ts';
import { attributeOf, attributeText } from './device.ts';
import type { PoolDevice } from './device.ts';
import type { ClaimUse } from './pod-devices.ts';

/** Attribute → groups of devices, by their ids, that will have one value of it, whichever that is. */
export type AttributeGroups = ReadonlyMap<string, readonly ReadonlySet<string>[]>;

/** Whether the constraint applies to the request: by its name, that of its parent, or because it names none. */
const isAbout = ({ requests = [] }: DeviceConstraint, { name, parent }: ClaimRequest): boolean =>
  requests.length === 0 || requests.includes(parent) || requests.includes(name);

/** A constraint while a claim is given devices: one is added after another, and taken away in reverse. */
export class AttributeConstraint {
  readonly #constraint: DeviceConstraint;
  readonly #groups: AttributeGroups;
  /** What the devices have so far: the text of a value, or the number of a group. */
  readonly #held: string[] = [];

  constructor(constraint: DeviceConstraint, groups: AttributeGroups) {
    this.#constraint = constraint;
    this.#groups = groups;
  }

  /** Adds a device; false, and nothing changed, when the constraint forbids it. */
  add(request: ClaimRequest, device: PoolDevice): boolean {
    if (!isAbout(this.#constraint, request)) return true;
    const { matchAttribute, distinctAttribute } = this.#constraint;
    const value =
      matchAttribute === undefined ? this.#distinctValue(device, distinctAttribute ?? '') : this.#commonValue(device, matchAttribute);
    if (value === undefined) return false;
    this.#held.push(value);
    return true;
  }

  /** Takes away the device that was added last. */
  remove(request: ClaimRequest): void {
    if (isAbout(this.#constraint, request)) this.#held.pop();
  }

  #distinctValue(device: PoolDevice, name: string): string | undefined {
    const attribute = attributeOf(device, name);
    const value = attribute && attributeText(attribute);
    return value === undefined || this.#held.includes(value) ? undefined : value;
  }

  #commonValue(device: PoolDevice, name: string): string | undefined {
    const attribute = attributeOf(device, name);
    const values = attribute === undefined ? this.#groupsOf(device, name) : [attributeText(attribute)];
    const [first] = this.#held;
    return first === undefined ? values[0] : values.find((value) => value === first);
  }

  /** Only templates are in groups: what is published says its attributes. */
  #groupsOf({ id, isTemplate }: PoolDevice, name: string): readonly string[] {
    const groups = isTemplate ? (this.#groups.get(name) ?? []) : [];
    return groups.flatMap((group, index) => (group.has(id) ? [`group ${index}`] : []));
  }
}

/** The devices of one machine that a request may have, whatever the constraints of its claim. */
interface RequestableDevices {
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
