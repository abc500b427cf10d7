import { labels, parseQuantity, unitsOf } from '@karpenter/core';
import { isJsonObject } from '@karpenter/runtime';
import type { InstanceTypeEntry, OfferingEntry } from './instance-type-entry.ts';

const DEFAULT_PODS = '110';
const CAPACITY_TYPES = ['spot', 'on-demand'];

/** What a file says is wrong, in one sentence that names the place. */
class FileProblem extends Error {}

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown, place: string): Fields => {
  if (isJsonObject(value)) return value;
  throw new FileProblem(`${place} is no object`);
};

const listOf = (value: unknown, place: string): readonly unknown[] => {
  if (Array.isArray(value) && value.length > 0) return value;
  throw new FileProblem(`${place} is no list with at least one element`);
};

const textOf = (value: unknown, place: string): string => {
  if (typeof value === 'string' && value !== '') return value;
  throw new FileProblem(`${place} is no text`);
};

/** Label → the one value that a requirement of an offering gives it. */
const requirementLabels = (value: unknown, place: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    listOf(value, place).map((each, index) => {
      const at = `${place}[${index}]`;
      const { key, operator, values } = fieldsOf(each, at);
      const given = listOf(values, `${at}.values`);
      if (operator !== 'In' || given.length !== 1) throw new FileProblem(`${at} is not "In" with one value`);
      return [textOf(key, `${at}.key`), textOf(given[0], `${at}.values[0]`)];
    }),
  );

/** Keys as the original writes them (`Price`), or in small letters, as its reader takes them too. */
const offeringOf = (value: unknown, place: string): OfferingEntry => {
  const fields = fieldsOf(value, place);
  const price = fields['Price'] ?? fields['price'];
  if (typeof price !== 'number' || !Number.isFinite(price) || price < 0) throw new FileProblem(`${place}.Price is no number of dollars`);
  const own = requirementLabels(fields['Requirements'] ?? fields['requirements'], `${place}.Requirements`);
  const { [labels.zone]: zone, [labels.capacityType]: capacityType, ...others } = own;
  if (zone === undefined) throw new FileProblem(`${place}.Requirements names no ${labels.zone}`);
  if (capacityType === undefined || !CAPACITY_TYPES.includes(capacityType))
    throw new FileProblem(`${place}.Requirements names no ${labels.capacityType} that is ${CAPACITY_TYPES.join(' or ')}`);
  return { pricePerHour: price, zone, capacityType, labels: others };
};

const resourcesIn = (value: unknown, place: string): Readonly<Record<string, string>> => {
  const given = Object.entries(fieldsOf(value, place)).map(([name, amount]): [string, string] => {
    const text = String(amount);
    const quantity = parseQuantity(text);
    if (quantity === undefined || unitsOf(quantity) < 0) throw new FileProblem(`${place}.${name} is no quantity of at least 0: ${text}`);
    return [name, text];
  });
  const resources: Readonly<Record<string, string>> = { pods: DEFAULT_PODS, ...Object.fromEntries(given) };
  for (const name of ['cpu', 'memory']) if (resources[name] === undefined) throw new FileProblem(`${place}.${name} is missing`);
  return resources;
};

const entryOf = (value: unknown, place: string): InstanceTypeEntry => {
  const { name, architecture, operatingSystems, resources, offerings } = fieldsOf(value, place);
  return {
    name: textOf(name, `${place}.name`),
    architecture: textOf(architecture, `${place}.architecture`),
    operatingSystem: textOf(listOf(operatingSystems, `${place}.operatingSystems`)[0], `${place}.operatingSystems[0]`),
    resources: resourcesIn(resources, `${place}.resources`),
    offerings: listOf(offerings, `${place}.offerings`).map((offering, index) => offeringOf(offering, `${place}.offerings[${index}]`)),
  };
};

const unique = (entries: readonly InstanceTypeEntry[]): readonly InstanceTypeEntry[] => {
  const names = new Set<string>();
  for (const { name } of entries) {
    if (names.has(name)) throw new FileProblem(`${name} is there twice`);
    names.add(name);
  }
  return entries;
};

/** The instance types of a file, or what is wrong with it. */
export type ParsedInstanceTypes =
  { readonly ok: true; readonly entries: readonly InstanceTypeEntry[] } | { readonly ok: false; readonly problem: string };

/**
 * Reads the format of the original's `--instance-types-file-path`: a JSON list of instance types with their offerings.
 * `Available` counts for nothing, there as here. Differs: one operating system a type, and nothing reserved.
 */
export const parseInstanceTypes = (json: string): ParsedInstanceTypes => {
  try {
    const parsed: unknown = JSON.parse(json);
    return { ok: true, entries: unique(listOf(parsed, 'the file').map((each, index) => entryOf(each, `[${index}]`))) };
  } catch (error) {
    if (error instanceof FileProblem || error instanceof SyntaxError) return { ok: false, problem: error.message };
    throw error;
  }
};
