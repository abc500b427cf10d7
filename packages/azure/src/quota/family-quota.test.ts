import { expect, test } from '@jest/globals';
import { hasQuota } from '@karpenter/core/provider-kit';
import { familyQuotaOf } from './family-quota.ts';

test('a machine fits while its vCPUs are left in its family, whatever the case of the name', () => {
  const quota = familyQuotaOf([{ name: { value: 'standardDSv3Family' }, currentValue: 8, limit: 10 }]);
  expect(hasQuota(quota, 'StandardDSv3Family', 2)).toBe(true);
  expect(hasQuota(quota, 'standardDSv3Family', 4)).toBe(false);
});

test('a family that nothing is known of has quota', () => {
  expect(hasQuota(familyQuotaOf([]), 'standardDSv3Family', 416)).toBe(true);
});
