import { parseQuantity, resourcesOf } from '@karpenter/core';
import type { Resources } from '@karpenter/core';
import { duplicateNames } from './duplicate-names.ts';
import type { Parsed } from './option.ts';

const wanted = 'resources with quantities, separated by commas, such as cpu=1000,memory=4Ti,nodes=200';

/** Reads `cpu=1000,memory=4Ti,nodes=200`. An empty text: no limit. */
export const parseClusterLimits = (text: string): Parsed<Resources> => {
  const entries = text.split(',').filter((entry) => entry.trim() !== '');
  const pairs = entries.map((entry) => entry.split('=').map((part) => part.trim()));
  const isReadable = ([name = '', quantity = '', ...rest]: readonly string[]): boolean =>
    name !== '' && rest.length === 0 && (parseQuantity(quantity)?.nanos ?? -1n) >= 0n;
  if (!pairs.every(isReadable)) return { wanted };
  const twice = duplicateNames(pairs.map(([name = '']) => name));
  if (twice.length > 0) return { wanted: `each resource once; ${twice.join(', ')} is there more often` };
  return { value: resourcesOf(Object.fromEntries(pairs.map(([name = '', quantity = '']) => [name, quantity]))) };
};
