import type { NodeOverlay } from '../../apis/index.ts';

/** What was found when the NodeOverlays were last looked at together. */
export interface OverlayEvaluation {
  /** NodePools whose types were looked at. */
  readonly nodePools: ReadonlySet<string>;
  /** Overlays that count, by `overlayVersion`: sound, and in conflict with none that counts. */
  readonly inForce: ReadonlySet<string>;
}

/** One wording of one overlay. Its status does not matter. */
export const overlayVersion = ({ metadata: { name, uid, generation } }: NodeOverlay): string => `${name} ${uid ?? ''} ${generation ?? 0}`;

/** Where the controller that evaluates NodeOverlays leaves its verdicts for the provider that applies them. */
export class OverlayVerdicts {
  #last: OverlayEvaluation = { nodePools: new Set(), inForce: new Set() };

  publish(evaluation: OverlayEvaluation): void {
    this.#last = evaluation;
  }

  hasSeen(nodePoolName: string): boolean {
    return this.#last.nodePools.has(nodePoolName);
  }

  isInForce(overlay: NodeOverlay): boolean {
    return this.#last.inForce.has(overlayVersion(overlay));
  }
}
