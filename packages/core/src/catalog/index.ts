export * from './instance-type.ts';
export * from './min-values.ts';
export * from './pool-match.ts';
export * from './compiled-catalog.ts';
export * from './instance-type-problem.ts';
export * from './requirement-text.ts';
export { applyingOverlays, applyOverlays, findingOverlayConflicts, overlayRules, poolLabelRequirements } from './overlays.ts';
export type { OverlaidPool, OverlaidTypes, OverlayConflict } from './overlays.ts';
