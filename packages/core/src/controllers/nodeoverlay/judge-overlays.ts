import { nodeOverlayProblems } from '../../apis/index.ts';
import type { LabelCatalog, NodeOverlay } from '../../apis/index.ts';
import type { FieldProblem } from '../../base/index.ts';
import { overlayConflicts, overlayRules } from '../../catalog/index.ts';
import type { OverlayConflict, OverlaidPool } from '../../catalog/index.ts';

/** Whether an overlay counts, and why it does not. */
export type OverlayVerdict =
  | { readonly kind: 'in-force' }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }
  | { readonly kind: 'conflict'; readonly conflict: OverlayConflict };

/** Overlay → its verdict, all of them looked at together. */
export const judgeOverlays = (
  overlays: readonly NodeOverlay[],
  pools: readonly OverlaidPool[],
  catalog: LabelCatalog,
): ReadonlyMap<NodeOverlay, OverlayVerdict> => {
  const problems = new Map(overlays.map((overlay) => [overlay, nodeOverlayProblems(overlay, catalog)]));
  const sound = overlays.filter((overlay) => problems.get(overlay)?.length === 0);
  const conflicts = overlayConflicts(overlayRules(sound, catalog), pools);
  const verdictOf = (overlay: NodeOverlay): OverlayVerdict => {
    const own = problems.get(overlay) ?? [];
    if (own.length > 0) return { kind: 'invalid', problems: own };
    const conflict = conflicts.get(overlay.metadata.name);
    return conflict === undefined ? { kind: 'in-force' } : { kind: 'conflict', conflict };
  };
  return new Map(overlays.map((overlay) => [overlay, verdictOf(overlay)]));
};
