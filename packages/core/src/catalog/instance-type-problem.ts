import { capacityTypes, labels } from '../apis/index.ts';
import { memoByObject, shapeProblem } from '../base/index.ts';
import type { FieldProblem } from '../base/index.ts';
import { dynamicResourcesShape } from '../kube/index.ts';
import type { Resources } from '../kube/index.ts';
import { intersects } from '../requirements/index.ts';
import type { InstanceType, Offering } from './instance-type.ts';

const wrong = (field: string, value: unknown, problem: string): FieldProblem => ({ field, value: String(value), problem });

/** By what it can do: a Map that crossed a thread or was cloned is no `instanceof` of this realm's. */
const isMap = (value: unknown): boolean => typeof (value as Partial<ReadonlyMap<string, unknown>> | undefined)?.get === 'function';

const amountProblem = (field: string, amounts: Resources): FieldProblem | undefined => {
  const broken = Object.entries(amounts).find(([, amount]) => !Number.isFinite(amount) || amount < 0);
  return broken && wrong(`${field}.${broken[0]}`, broken[1], 'must be a number from 0 on: thousandths of a cpu, bytes, or a count');
};

const reservationProblem = (field: string, { capacityType, reservation }: Offering): FieldProblem | undefined => {
  if (reservation === undefined) return undefined;
  if (!(reservation.remaining >= 0)) return wrong(`${field}.reservation.remaining`, reservation.remaining, 'must be a number from 0 on');
  return capacityType === capacityTypes.reserved
    ? undefined
    : wrong(`${field}.capacityType`, capacityType, `must be ${capacityTypes.reserved} where a reservation is named`);
};

const offeringProblem = (field: string, offering: Offering): FieldProblem | undefined => {
  const { requirements, pricePerHour } = offering;
  if (!isMap(requirements)) return wrong(`${field}.requirements`, requirements, 'must be a Map, as labelRequirements makes it');
  return Number.isFinite(pricePerHour) && pricePerHour >= 0
    ? reservationProblem(field, offering)
    : wrong(`${field}.pricePerHour`, pricePerHour, 'must be a number from 0 on; a NodeOverlay may state it where the cloud does not');
};

const PLACED_BY = [labels.zone, labels.capacityType];

/** An available offering outside its type's own requirements: its machine would start where no plan expects it. */
const strayProblem = ({ requirements, offerings }: InstanceType): FieldProblem | undefined => {
  for (const key of PLACED_BY) {
    const ofType = requirements.get(key);
    if (ofType === undefined) continue;
    for (let i = 0; i < offerings.length; i++) {
      const own = offerings[i]?.isAvailable === true ? offerings[i]?.requirements.get(key) : undefined;
      if (own !== undefined && !intersects(ofType, own))
        return wrong(`offerings[${i}].requirements`, key, 'must be among what the requirements of the type allow');
    }
  }
  return undefined;
};

const deviceProblem = ({ dynamicResources }: InstanceType): FieldProblem | undefined =>
  dynamicResources && shapeProblem(dynamicResourcesShape, dynamicResources, 'dynamicResources');

const frameProblem = (type: InstanceType): FieldProblem | undefined => {
  const { name, requirements, offerings, capacity, overhead } = type;
  if (typeof name !== 'string' || name === '') return wrong('name', name, 'must name the type');
  if (!isMap(requirements)) return wrong('requirements', requirements, 'must be a Map, as labelRequirements makes it');
  if (!Array.isArray(offerings)) return wrong('offerings', offerings, 'must be a list; it may be empty');
  const lists = [amountProblem('capacity', capacity), amountProblem('overhead', overhead)];
  const priced = offerings.map((offering: Offering, i) => offeringProblem(`offerings[${i}]`, offering));
  return [...lists, ...priced].find((problem) => problem !== undefined) ?? strayProblem(type);
};

/**
 * The first thing about a type by which nothing could be decided: of a provider, or of plain data. Undefined when it is
 * sound.
 */
const instanceTypeProblem = (type: InstanceType): FieldProblem | undefined => frameProblem(type) ?? deviceProblem(type);

/** The valid types of a list, and what is wrong with the others. If a name occurs twice, only the first counts. */
export interface SoundTypes {
  /** The list itself where all of it is sound. */
  readonly types: readonly InstanceType[];
  readonly broken: readonly { readonly name: string; readonly problem: FieldProblem }[];
}

const judge = (types: readonly InstanceType[]): SoundTypes => {
  const names = new Set<string>();
  const broken: { name: string; problem: FieldProblem }[] = [];
  const sound = types.filter((type) => {
    const twice = names.has(type.name) ? wrong('name', type.name, 'occurs twice; only the first counts') : undefined;
    const problem = instanceTypeProblem(type) ?? twice;
    if (problem === undefined) names.add(type.name);
    else broken.push({ name: type.name, problem });
    return problem === undefined;
  });
  return broken.length === 0 ? { types, broken } : { types: sound, broken };
};

/** Separates sound types from broken ones. A list that was judged before costs one look-up, and gives the same lists again. */
export const soundTypes = memoByObject(judge);
