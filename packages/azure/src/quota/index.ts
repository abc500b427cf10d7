export { type FamilyQuota, familyQuotaOf, hasQuota, type Usage } from './family-quota.ts';
