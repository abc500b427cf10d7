import { memoByText } from '../../base/index.ts';
import type { ResourceList } from '../object-meta.ts';
import { formatQuantity, millisOf, parseQuantity, unitsOf } from './quantity.ts';
import type { Quantity } from './quantity.ts';
import type { Resources } from './resources.ts';

const quantityOf = (text: string): Quantity => {
  const quantity = parseQuantity(text);
  if (quantity === undefined) throw new RangeError(`"${text}" is no Kubernetes quantity; accepted are numbers like 1500m, 2Gi, 1e3 or 0.5`);
  return quantity;
};
const millisOfText = memoByText((text) => millisOf(quantityOf(text)));
const unitsOfText = memoByText((text) => unitsOf(quantityOf(text)));
const binaryNames = /^(memory|storage|ephemeral-storage|hugepages-.*)$/;

/**
 * The exact amounts of a resource list, each rounded up to its integer unit. Cheap for texts that were seen before.
 * Throws RangeError on a malformed quantity: the API server admits none. A name that every object has, such as
 * `constructor`, is left out: no pod can ask for it, and elsewhere it would be found where it is not.
 */
export const resourcesOf = (list: ResourceList | undefined): Resources => {
  const resources: Record<string, number> = {};
  if (list === undefined) return resources;
  for (const name of Object.keys(list)) {
    if (name in Object.prototype) continue;
    const text = String(list[name]);
    resources[name] = name === 'cpu' ? millisOfText(text) : unitsOfText(text);
  }
  return resources;
};

/** The list that the API server would give back: canonical quantities (`1500m`, `2Gi`, `110`), names in order. */
export const quantitiesOf = (resources: Resources): Readonly<Record<string, string>> => {
  const list: Record<string, string> = {};
  for (const name of Object.keys(resources).sort()) {
    const amount = BigInt(Math.round(resources[name] ?? 0));
    const nanos = amount * (name === 'cpu' ? 1_000_000n : 1_000_000_000n);
    list[name] = formatQuantity({ nanos, format: binaryNames.test(name) ? 'binary' : 'decimal' });
  }
  return list;
};
