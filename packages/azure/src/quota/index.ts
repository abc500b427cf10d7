export { familyQuotaOf, type Usage } from './family-quota.ts';
