export { defaultLabelCatalog } from '../apis/index.ts';
export type { LabelCatalog } from '../apis/index.ts';
export * from './requirements.ts';
export * from './pod-requirements.ts';
export * from './requirement.ts';
