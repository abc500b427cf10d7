export { defaultLabelCatalog } from '../apis/index.ts';
export type { LabelCatalog } from '../apis/index.ts';
export type * from './requirement.ts';
export type * from './requirements.ts';
