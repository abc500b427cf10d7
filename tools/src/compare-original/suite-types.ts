import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { type InstanceType, type Offering, requirementsOf, type RequirementSpec, resourcesOf } from '@karpenter/core';
import type { DynamicResources, ResourceList } from '@karpenter/core/internal';

interface RecordedOffering {
  readonly available: boolean;
  readonly price: number;
  readonly requirements: readonly RequirementSpec[];
  readonly reservationCapacity: number;
}

/** A type of the original's test provider as it was recorded. */
export interface RecordedType {
  readonly name: string;
  readonly capacity: ResourceList;
  readonly overhead: ResourceList;
  readonly offerings: readonly RecordedOffering[] | null;
  readonly requirements: readonly RequirementSpec[];
  readonly resourceSliceTemplates?: DynamicResources['resourceSliceTemplates'] | null;
  readonly attributeBindings?: DynamicResources['attributeBindings'] | null;
}

/** Each type once, and lists of their numbers: the same as recorded in a hundredth of the space. */
interface SharedTypes {
  readonly types: readonly RecordedType[];
  readonly lists: readonly (readonly number[])[];
  /** Key of a question → number of its list. */
  readonly listOf: Readonly<Record<string, number>>;
}

/** The label of the original's test provider that names a reservation. */
export const reservationKey = 'karpenter.test.sh/reservation-id';

const soleValue = (requirements: readonly RequirementSpec[], wanted: string): string | undefined =>
  requirements.find(({ key }) => key === wanted)?.values?.[0];

const offeringOf = ({ available, price, requirements, reservationCapacity }: RecordedOffering): Offering => {
  const id = soleValue(requirements, reservationKey);
  const unreserved: RequirementSpec = { key: reservationKey, operator: 'DoesNotExist' };
  return {
    zone: soleValue(requirements, 'topology.kubernetes.io/zone') ?? '',
    capacityType: soleValue(requirements, 'karpenter.sh/capacity-type') ?? '',
    pricePerHour: price,
    isAvailable: available,
    requirements: requirementsOf(id === undefined ? [...requirements, unreserved] : requirements),
    ...(id === undefined ? {} : { reservation: { id, remaining: reservationCapacity } }),
  };
};

const devicesOf = ({ resourceSliceTemplates, attributeBindings }: RecordedType): Pick<InstanceType, 'dynamicResources'> =>
  resourceSliceTemplates == null
    ? {}
    : { dynamicResources: { resourceSliceTemplates, ...(attributeBindings == null ? {} : { attributeBindings }) } };

/** The instance type that was recorded. */
export const recordedTypeOf = (type: RecordedType): InstanceType => ({
  name: type.name,
  capacity: resourcesOf(type.capacity),
  overhead: resourcesOf(type.overhead),
  offerings: (type.offerings ?? []).map(offeringOf),
  requirements: requirementsOf(type.requirements),
  ...devicesOf(type),
});

const KEY = /"([0-9a-f]{10})":\[/g;
const WINDOW_BYTES = 2 ** 26;
const KEY_BYTES = 14;

/** Key → where its list of types starts. The whole text may be longer than the longest string that Node makes. */
const startsOf = (text: Buffer): ReadonlyMap<string, number> => {
  const starts = new Map<string, number>();
  for (let from = 0; from < text.length; from += WINDOW_BYTES) {
    const window = text.toString('latin1', from, Math.min(text.length, from + WINDOW_BYTES + KEY_BYTES));
    for (const match of window.matchAll(KEY)) starts.set(match[1] ?? '', from + match.index + match[0].length - 1);
  }
  return starts;
};

type TypesOf = (key: string) => readonly InstanceType[];

const typesByKey = (text: Buffer): TypesOf => {
  const starts = startsOf(text);
  const ordered = [...starts.values()].sort((a, b) => a - b);
  let last: { readonly key: string; readonly types: readonly InstanceType[] } | undefined;
  return (key) => {
    if (last?.key === key) return last.types;
    const start = starts.get(key);
    if (start === undefined) throw new Error(`There are no instance types ${key}`);
    const next = ordered[ordered.indexOf(start) + 1];
    // Between two lists stand a comma and the next key; behind the last one, a brace.
    const end = next === undefined ? text.lastIndexOf('}') : next - KEY_BYTES;
    last = { key, types: (JSON.parse(text.toString('utf8', start, end)) as readonly RecordedType[]).map(recordedTypeOf) };
    return last.types;
  };
};

const sharedTypes = ({ types, lists, listOf }: SharedTypes): TypesOf => {
  const all = types.map(recordedTypeOf);
  const made = lists.map((numbers) => numbers.flatMap((number) => all[number] ?? []));
  return (key) => made[listOf[key] ?? -1] ?? [];
};

/**
 * The instance types of suite questions by their key, read at the first call. Takes both forms: one list for each key,
 * as recorded, and each type once.
 */
export const suiteTypes = (path: string): TypesOf => {
  let typesOf: TypesOf | undefined;
  const read = (): TypesOf => {
    if (!existsSync(path)) throw new Error(`${path} is missing: it holds the instance types of these questions`);
    const text = gunzipSync(readFileSync(path));
    return text.toString('latin1', 0, 9) === '{"types":' ? sharedTypes(JSON.parse(text.toString('utf8')) as SharedTypes) : typesByKey(text);
  };
  return (key) => (typesOf ??= read())(key);
};
