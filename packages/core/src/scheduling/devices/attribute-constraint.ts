import type { DeviceAttribute, DeviceConstraint } from '../../kube/index.ts';
import type { ClaimRequest } from './claim-request.ts';
import type { PoolDevice } from './device.ts';

/** Attribute → groups of devices, by their ids, that will have one value of it, whichever that is. */
export type AttributeGroups = ReadonlyMap<string, readonly ReadonlySet<string>[]>;

/** The attribute of a device by its full name. A name without domain is of the driver's domain. */
const attributeOf = ({ attributes, driver }: PoolDevice, name: string): DeviceAttribute | undefined => {
  const found = attributes.get(name);
  if (found !== undefined || !name.startsWith(`${driver}/`)) return found;
  return attributes.get(name.slice(driver.length + 1));
};

const valueText = ({ int, bool, string, version }: DeviceAttribute): string => JSON.stringify([int, bool, string, version]);

/** Whether the constraint applies to the request: by its name, that of its parent, or because it names none. */
export const isAbout = ({ requests = [] }: DeviceConstraint, { name, parent }: ClaimRequest): boolean =>
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
    const value = attribute && valueText(attribute);
    return value === undefined || this.#held.includes(value) ? undefined : value;
  }

  #commonValue(device: PoolDevice, name: string): string | undefined {
    const attribute = attributeOf(device, name);
    const values = attribute === undefined ? this.#groupsOf(device, name) : [valueText(attribute)];
    const [first] = this.#held;
    return first === undefined ? values[0] : values.find((value) => value === first);
  }

  /** Only templates are in groups: what is published says its attributes. */
  #groupsOf({ id, isTemplate }: PoolDevice, name: string): readonly string[] {
    const groups = isTemplate ? (this.#groups.get(name) ?? []) : [];
    return groups.flatMap((group, index) => (group.has(id) ? [`group ${index}`] : []));
  }
}
