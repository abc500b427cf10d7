import { wishesOf } from './parcel.ts';
import type { Parcel } from './parcel.ts';

/** Parcels of about one size and proportion, the largest first: filling a node looks at the first that fits and at none of the others. */
export type Shelf = readonly number[];

const CPU = 0;
const MEMORY = 1;

/** How many steps a doubling of size, or of proportion, is divided into. */
const SIZE_STEPS = 1;
const PROPORTION_STEPS = 2;

const amountOf = ({ resourceIds, amounts }: Parcel, resource: number): number => amounts[resourceIds.indexOf(resource)] ?? 0;

const shareOf = (parcel: Parcel, resource: number, demand: Float64Array): number =>
  amountOf(parcel, resource) / Math.max(1, demand[resource] ?? 0);

const sizeOf = ({ resourceIds, amounts }: Parcel, demand: Float64Array): number => {
  let size = 0;
  for (let i = 0; i < resourceIds.length; i++) size += (amounts[i] ?? 0) / Math.max(1, demand[resourceIds[i] ?? 0] ?? 0);
  return size;
};

/** Parcel numbers shelf by shelf. Parcels that ask for other resources, or by other rungs, never share a shelf. */
export const shelvesOf = (parcels: readonly Parcel[], demand: Float64Array): readonly Shelf[] => {
  const steps = new Map<Parcel['step'], string>();
  const shelves = new Map<string, number[]>();
  const sizes = parcels.map((parcel) => sizeOf(parcel, demand));
  parcels.forEach((parcel, number) => {
    const wishes = steps.get(parcel.step) ?? wishesOf(parcel);
    steps.set(parcel.step, wishes);
    const size = Math.round(SIZE_STEPS * Math.log2(sizes[number] ?? 1));
    const proportion = (shareOf(parcel, MEMORY, demand) + 1e-12) / (shareOf(parcel, CPU, demand) + 1e-12);
    const key = `${size} ${Math.round(PROPORTION_STEPS * Math.log2(proportion))} ${parcel.resourceIds.join('.')} ${wishes}`;
    const shelf = shelves.get(key);
    if (shelf === undefined) shelves.set(key, [number]);
    else shelf.push(number);
  });
  return Array.from(shelves.values(), (shelf) => shelf.sort((a, b) => (sizes[b] ?? 0) - (sizes[a] ?? 0) || a - b));
};
