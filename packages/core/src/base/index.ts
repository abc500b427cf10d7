export * from './bit-set.ts';
export * from './compare-text.ts';
export * from './duration.ts';
export * from './field-problem.ts';
export * from './memo-by-text.ts';
export * from './timestamp.ts';
export * from './unreachable.ts';
