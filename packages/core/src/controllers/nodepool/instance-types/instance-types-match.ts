import type { ConditionChange } from '../../../actions/index.ts';
import type { PoolMatch } from '../../../catalog/index.ts';
import { nodePoolConditions } from '../../../state/index.ts';

const type = nodePoolConditions.instanceTypesMatch;

const removedText = ({ removedBy }: PoolMatch): string =>
  removedBy.length === 0 ? '' : `; removed: ${removedBy.map(({ requirement, removed }) => `${removed} by ${requirement}`).join(', ')}`;

const shortfallText = ({ key, wanted, found }: PoolMatch['shortfalls'][number]): string => `${found} of ${wanted} values of ${key}`;

/** What a pool says about the instance types that meet its requirements. Not part of `Ready`. */
export const instanceTypesMatch = (match: PoolMatch): ConditionChange => {
  const { total, types, offerings, shortfalls } = match;
  if (types === 0) {
    const message = `None of ${total} instance types meets the requirements${removedText(match)}`;
    return { type, status: 'False', reason: 'NoCompatibleInstanceTypes', message };
  }
  const matching = `${types} of ${total} instance types meet the requirements`;
  if (offerings === 0) {
    const message = `${matching}, and none has an available offering${removedText(match)}`;
    return { type, status: 'False', reason: 'NoAvailableOfferings', message };
  }
  if (shortfalls.length > 0) {
    const message = `${matching}, and those with available offerings fall short of minValues (${shortfalls.map(shortfallText).join(', ')})${removedText(match)}`;
    return { type, status: 'False', reason: 'MinValuesNotMet', message };
  }
  return { type, status: 'True', message: `${matching}, with ${offerings} available offerings${removedText(match)}` };
};
