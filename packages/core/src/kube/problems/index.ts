export * from './device-shapes.ts';
export * from './label-selector-problem.ts';
export * from './pod-spec-problem.ts';
export * from './pod-spec-shape.ts';
export * from './quantity-problem.ts';
export * from './spread-problem.ts';
